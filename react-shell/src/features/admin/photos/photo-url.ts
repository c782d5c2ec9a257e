import type { Photo } from "./api";

const SMALLEST = 320;

/** The smallest image of a photo. A photo that is narrower is served in its own width. */
export function thumbnailUrl({ id, width }: Photo): string {
  return `/images/photos/${id}-${Math.min(SMALLEST, width)}.webp`;
}
