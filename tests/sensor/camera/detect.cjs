// Finds objects in pictures with a public detector: node detect.cjs FOLDER PIXELS COUNT HEIGHT WIDTH
// FOLDER has the packages of `make detector`; PIXELS is a file of COUNT pictures (HEIGHT, WIDTH, 3) of bytes.
// Prints a line of JSON for each: [[class of COCO, score, top, left, bottom, right], ...], places as shares of the sides.
const fs = require("fs");
const path = require("path");

const [folder, pixels, count, height, width] = process.argv.slice(2);
const from = (name) => require(require.resolve(name, { paths: [folder] }));
const tf = from("@tensorflow/tfjs-core");
const wasm = from("@tensorflow/tfjs-backend-wasm");
const { loadGraphModel } = from("@tensorflow/tfjs-converter");
const MIN_SCORE = 0.2;

async function detector() {
  wasm.setWasmPaths(path.join(folder, "node_modules/@tensorflow/tfjs-backend-wasm/dist/"));
  await tf.setBackend("wasm");
  await tf.ready();
  const home = path.join(folder, "package/models/coco-ssd");
  const { modelTopology, weightsManifest } = JSON.parse(fs.readFileSync(path.join(home, "model.json")));
  const parts = weightsManifest.flatMap((group) => group.paths.map((name) => fs.readFileSync(path.join(home, name))));
  const weights = new Uint8Array(Buffer.concat(parts));
  const weightSpecs = weightsManifest.flatMap((group) => group.weights);
  return loadGraphModel({ load: async () => ({ modelTopology, weightSpecs, weightData: weights.buffer, format: "graph-model" }) });
}

function strong(scores, boxes) {
  const [value, place, classes] = [scores.dataSync(), boxes.dataSync(), scores.shape[2]];
  const found = [];
  for (let row = 0; row < scores.shape[1]; row++) {
    const some = value.subarray(row * classes, (row + 1) * classes);
    const best = some.reduce((one, score, number) => (score > some[one] ? number : one), 0);
    if (some[best] > MIN_SCORE) found.push([best + 1, some[best], ...place.subarray(4 * row, 4 * row + 4)]);
  }
  return found;
}

(async () => {
  const model = await detector();
  const bytes = fs.readFileSync(pixels);
  const size = height * width * 3;
  for (let number = 0; number < +count; number++) {
    const picture = tf.tensor4d(bytes.subarray(number * size, (number + 1) * size), [1, +height, +width, 3], "int32");
    const [scores, boxes] = await model.executeAsync(picture);
    console.log(JSON.stringify(strong(scores, boxes)));
    tf.dispose([picture, scores, boxes]);
  }
})();
