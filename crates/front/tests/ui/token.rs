fn main() { "unclosed }
