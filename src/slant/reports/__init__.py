"""From findings to what people read: pages, pictures, tables and sentences."""
