// The widget as a JSX element.
import "altcha/types/react";
