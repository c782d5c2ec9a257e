import type { ComponentType } from "react";
import type { Plugin } from "swagger-ui-dist/swagger-ui-es-bundle.js";

type Props = Readonly<Record<string, unknown>>;

/** Gives the controls of Swagger UI the accessible names that they lack. `accessibility.css` corrects its colors. */
export const accessibility: Plugin = ({ React: { createElement, Fragment } }) => {
  const hidden = (text: string) => createElement("span", { className: "visually-hidden" }, text);
  // Swagger UI has headings of the levels 1 and 3.
  const withHeading =
    (text: string, parent: typeof Fragment | "section", attributes = {}) =>
    (Original: ComponentType<Props>) =>
    (props: Props) =>
      createElement(
        parent,
        attributes,
        createElement("h2", { className: "visually-hidden" }, text),
        createElement(Original, props),
      );
  const labeled = (Original: ComponentType<Props>) => (props: Props) =>
    createElement("label", null, hidden(String(props["description"])), createElement(Original, props));
  return {
    components: {
      // A link inside the button that expands an operation is invalid HTML.
      DeepLink: ({ text }: { text: string }) => text,
      // A select without a label. The shop itself is the only server.
      ServersContainer: () => null,
    },
    wrapComponents: {
      // Swagger UI has its `main` around the operations alone. What comes before them is in no landmark.
      InfoContainer: (Original) => (props: Props) =>
        createElement("section", { "aria-label": "Introduction" }, createElement(Original, props)),
      AuthorizeBtnContainer: withHeading("Authorization", "section", { "aria-label": "Authorization" }),
      operations: withHeading("Operations", Fragment),
      // The dialog's close button has nothing but this icon.
      CloseIcon: (Original) => () => createElement("span", null, hidden("Close"), createElement(Original)),
      TextArea: (Original) => (props: Props) => createElement(Original, { "aria-label": "Request body", ...props }),
      JsonSchema_string: labeled,
      JsonSchema_boolean: labeled,
      // "Apply credentials" on a button that reads "Authorize": speech control needs the visible text.
      Button: (Original) => (props: Props) =>
        createElement(Original, typeof props["children"] === "string" ? { ...props, "aria-label": undefined } : props),
    },
  };
};
