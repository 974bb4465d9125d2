import GRDB
import ChatCore
