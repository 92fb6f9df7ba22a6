"""A user's asyncio script that type checkers must find nothing wrong with; it is checked, not run."""

import asyncio

from dorosim.client import AsyncCamera, AsyncClient, AsyncLidar, AsyncSensor, CameraPicture, ImuSample


async def show(picture: CameraPicture) -> None:
    print(picture.image.shape)


async def drive(client: AsyncClient) -> None:
    camera: AsyncCamera = await client.add_camera(width=1280, height=720, image="semantic", rate=20)
    lidar: AsyncLidar = await client.add_lidar()
    imu: AsyncSensor[ImuSample] = await client.add_imu(rate=100.0)
    picture: CameraPicture = await camera.picture()
    async for one in camera:
        print(one.time - picture.time, one.semantic)
        break
    camera.listen(show)
    imu.listen(lambda sample: print(sample.acceleration[2]))
    async with client.synchronous(0.05):
        async for frame in client.frames(camera, lidar, imu):
            print(frame[camera].image.shape, len(frame[lidar]), [sample.time for sample in frame.all(imu)])
            break
    await client.set_sky(rain=3.0)
    hour: float = await client.hour()
    print(hour, await client.cast_ray((0.0, 0.0, 1.0), (9.0, 0.0, 1.0)))
    await camera.remove()


async def main() -> None:
    async with AsyncClient() as client:
        await drive(client)


if __name__ == "__main__":
    asyncio.run(main())
