// The bundle has no types of its own.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  import type { ComponentType, createElement, Fragment } from "react";

  /** A plugin replaces or wraps components by name. Swagger UI brings its own React. */
  export type Plugin = (system: { React: { createElement: typeof createElement; Fragment: typeof Fragment } }) => {
    components?: Record<string, ComponentType<never>>;
    wrapComponents?: Record<string, (Original: ComponentType<Record<string, unknown>>) => ComponentType<never>>;
  };

  export default function SwaggerUI(options: {
    url: string;
    dom_id: string;
    deepLinking: boolean;
    plugins: Plugin[];
    syntaxHighlight: { theme: string };
    validatorUrl: null;
  }): unknown;
}
