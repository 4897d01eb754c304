"""What every model behind a server needs, whatever it speaks.

`client` sends requests and reads replies within limits, `pace` says how fast the server is asked,
`waits` reads from a reply how long it wants to be left alone, `reply` decodes what came, and
`secret` keeps the key out of everything that is kept or shown.
"""
