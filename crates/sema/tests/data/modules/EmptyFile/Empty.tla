There is no module in this text.
