import { thumbnail } from "../../../../shared/thumbnail";
import type { Photo } from "./api";

/** The smallest image of a photo. */
export const thumbnailUrl = ({ id, width }: Photo): string => thumbnail(`/images/photos/${id}-${width}.jpg`);
