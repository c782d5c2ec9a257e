import type { ComponentType, createElement as CreateElement } from "react";
import type { Plugin } from "swagger-ui-dist/swagger-ui-es-bundle.js";

/** A package of the SDK, as `/sdk/index.json` lists it. */
interface Package {
  name: string;
  version: string;
  file: string;
  integrity: string;
}

/** The packages that this shop serves; none if it was built without them. */
export async function listPackages(): Promise<Package[]> {
  try {
    const response = await fetch("/sdk/index.json");
    return response.ok ? ((await response.json()) as Package[]) : [];
  } catch {
    return [];
  }
}

/** Lists the packages below the introduction, with the command that installs each. */
export function packages(list: Package[]): Plugin {
  return ({ React: { createElement, Fragment } }) => ({
    wrapComponents: {
      InfoContainer: (Original: ComponentType<Readonly<Record<string, unknown>>>) => (props: object) =>
        createElement(Fragment, null, createElement(Original, { ...props }), section(createElement, list)),
    },
  });
}

function section(createElement: typeof CreateElement, list: Package[]) {
  if (list.length === 0) return null;
  const entry = ({ name, version, file, integrity }: Package) => [
    createElement("dt", { key: name }, `${name} ${version}`),
    createElement(
      "dd",
      { key: file },
      createElement("code", null, `npm install ${location.origin}/sdk/${file}`),
      createElement("small", null, "Checksum: ", createElement("code", null, integrity)),
    ),
  ];
  return createElement(
    "section",
    { className: "wrapper packages", "aria-label": "Packages" },
    createElement("h2", null, "Packages"),
    createElement("p", null, "This shop serves its rules, an API client and a buy button as npm packages:"),
    createElement("dl", null, list.flatMap(entry)),
  );
}
