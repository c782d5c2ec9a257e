// Declares the widget as a JSX element.
import "altcha/types/react";
