/** For loaders: data that the page shows when it comes. That it failed is for the page to show as well, and no news before. */
export function onItsWay<T>(data: Promise<T>): Promise<T> {
  data.catch(() => undefined);
  return data;
}
