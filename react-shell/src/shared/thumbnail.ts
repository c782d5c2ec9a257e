/** Width of a photo's smallest size in pixels (`wasm-core/src/catalog/photo_sizes.rs`). */
const WIDTH = 200;

/** URL of the smallest size of a product's image. Drawings have one size. */
export function thumbnail(image: string): string {
  return image.replace(/-(\d+)\.jpg$/, (_, width) => `-${Math.min(WIDTH, Number(width))}.jpg`);
}
