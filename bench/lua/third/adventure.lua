-- A text adventure with an automatic player: pattern-parsed commands, dispatch tables, state machines.
-- args: 40000
-- quick: 200

local ROOMS = {
  hall = { text = "A dusty hall", north = "library", east = "kitchen", west = "garden" },
  library = { text = "Shelves everywhere", south = "hall", east = "tower" },
  kitchen = { text = "It smells of soup", west = "hall", north = "tower", south = "cellar" },
  garden = { text = "Roses and thorns", east = "hall", south = "pond" },
  tower = { text = "A windy tower", west = "library", south = "kitchen" },
  cellar = { text = "Dark and damp", north = "kitchen", locked = true },
  pond = { text = "Still green water", north = "garden" },
}
local OUTSIDE = { "hall", "library", "kitchen", "garden", "tower", "pond" }
local DIRECTIONS = { "north", "south", "east", "west" }
local SHORT = { n = "go north", s = "go south", e = "go east", w = "go west", i = "inventory", l = "look" }
local ITEMS = { "lamp", "key", "bread", "book", "rose", "coin", "gem" }
local START = { "hall", "tower", "kitchen", "library", "garden", "pond", "cellar" }
local Game = {}
Game.__index = Game

local function newGame(seed)
  local g = setmetatable({ seed = seed, room = "hall", hunger = 0, score = 0, turns = 0,
    state = "explore", goblin = { room = "pond", mood = "calm" }, places = {}, log = {} }, Game)
  for i, item in ipairs(ITEMS) do g.places[item] = START[i] end
  return g
end

function Game:roll(k)
  self.seed = (self.seed * 48271) % 2147483647
  return self.seed % k + 1
end

function Game:say(fmt, ...) self.log[#self.log + 1] = string.format(fmt, ...) end

function Game:itemsIn(place)
  local found = {}
  for _, name in ipairs(ITEMS) do if self.places[name] == place then table.insert(found, name) end end
  return found
end

local commands = {}

function commands.look(game)
  local exits = ""
  for _, d in ipairs(DIRECTIONS) do
    if ROOMS[game.room][d] then exits = exits .. " " .. d:sub(1, 1):upper() .. d:sub(2) end
  end
  game:say("%s. Exits:%s. Items: %s", ROOMS[game.room].text, exits, table.concat(game:itemsIn(game.room), " "))
end

function commands.go(game, dir)
  local target = ROOMS[game.room][dir]
  if not target then return game:say("You can't go %s.", dir or "nowhere") end
  if ROOMS[target].locked and game.places.key ~= "bag" then return game:say("The %s is locked.", target) end
  game.room, game.hunger = target, game.hunger + 1
  game:say("You walk %s to the %s.", dir, target)
end

function commands.take(game, what)
  if game.places[what] ~= game.room then return game:say("There is no %s here.", what) end
  if #game:itemsIn("bag") >= 4 then return game:say("Your bag is full.") end
  game.places[what], game.score = "bag", game.score + #what
  game:say("Taken: %s", what:upper())
end

function commands.drop(game, what)
  if game.places[what] == "bag" then game.places[what] = game.room end
  game:say("Dropped %s", what)
end

function commands.inventory(game) game:say("You carry " .. table.concat(game:itemsIn("bag"), " and ")) end

function commands.eat(game, what)
  if what ~= "bread" or game.places.bread ~= "bag" then return game:say("You can't eat %s", what) end
  game.hunger, game.places.bread = 0, "kitchen"
end

function commands.give(game, what)
  if game.goblin.room ~= game.room then return game:say("Nobody wants it.") end
  if game.places[what] ~= "bag" then return game:say("You have no %s to give.", what) end
  game.places[what] = OUTSIDE[game:roll(#OUTSIDE)]
  game.goblin.mood, game.score = "happy", game.score + 20
  game:say("The goblin grins at the %s.", what)
end

function Game:execute(line)
  line = SHORT[line] or line
  local verb, rest = line:match("^(%a+)%s*(.*)$")
  local handler = verb and commands[verb:lower()]
  self.turns = self.turns + 1
  if handler then handler(self, (rest:gsub("^the%s+", ""))) else self:say("I don't understand '%s'.", line) end
end

local goblinStates = {
  calm = function(game, gob)
    local exits = {}
    for _, d in ipairs(DIRECTIONS) do exits[#exits + 1] = ROOMS[gob.room][d] end
    gob.room = exits[game:roll(#exits)]
    return gob.room == game.room and "angry" or "calm"
  end,
  angry = function(game, gob)
    if gob.room ~= game.room then return "calm" end
    game.score = game.score - 2
    game:say("The goblin pinches you!")
    return "angry"
  end,
  happy = function(game) return game:roll(6) == 1 and "calm" or "happy" end,
}

local playerStates = {
  explore = function(game)
    local things = game:itemsIn(game.room)
    if game.hunger > 12 then return "starving", "i" end
    if #things > 0 and game:roll(2) == 1 then return "explore", "take the " .. things[1] end
    if game.goblin.mood == "angry" then return "bribe", "look" end
    return "explore", ({ "n", "s", "e", "w", "l", "dance wildly" })[game:roll(6)]
  end,
  bribe = function(game)
    local bag = game:itemsIn("bag")
    if #bag == 0 then return "explore", "GO " .. DIRECTIONS[game:roll(4)] end
    return "explore", "give " .. bag[game:roll(#bag)]
  end,
  starving = function(game)
    if game.hunger == 0 then return "explore", "look" end
    if game.places.bread == "bag" then return "starving", "eat bread" end
    if game.places.bread == game.room then
      local bag = game:itemsIn("bag")
      return "starving", #bag >= 4 and "drop " .. bag[game:roll(#bag)] or "take bread"
    end
    return "starving", "go " .. DIRECTIONS[game:roll(4)]
  end,
}

return function(n)
  local game = newGame(31337)
  local check = 17
  for _ = 1, n do
    local command
    game.state, command = playerStates[game.state](game)
    game:execute(command)
    game.goblin.mood = goblinStates[game.goblin.mood](game, game.goblin)
    if #game.log > 40 then
      for word in table.concat(game.log, "\n"):gmatch("%a+") do
        check = (check * 31 + #word * 7 + word:byte(1)) % 1000000007
      end
      game.log = {}
    end
  end
  return string.format("%d/%d/%s/%s", check, game.score, game.room, game.state)
end
