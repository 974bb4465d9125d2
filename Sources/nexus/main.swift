import Hummingbird
import GRDB
import Mustache
import Configuration
import Crypto
import ArgumentParser
print("hi")
