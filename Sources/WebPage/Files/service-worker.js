// Shows the page offline.
