"""A user's script with mistakes that type checkers must find: one in each line that says so."""

from dorosim.client import Client, Lidar


def mistakes(client: Client) -> None:
    client.add_camera(widht=3)  # mistake
    client.add_camera(image="rbg")  # mistake
    client.add_lidar(model="VLP-17")  # mistake
    client.add_camera(width="wide")  # mistake
    lidar: Lidar = client.add_camera()  # mistake
    for cloud in client.add_lidar():
        print(cloud.image)  # mistake
    client.set_weather("rain")  # mistake
    print(lidar)
