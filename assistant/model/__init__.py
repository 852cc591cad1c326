"""The product's words as frozen types. Imports nothing else of ours, so every room can speak them."""
