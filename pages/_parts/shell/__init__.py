"""Around every page: navigation, style and the address bar."""
