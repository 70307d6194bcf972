// Common emoji by their short names, the usual one first.

const TABLE =
  '😄 smile happy|😃 smiley|😀 grinning|😁 grin|😆 laughing satisfied' +
  '|😅 sweat_smile|🤣 rofl|😂 joy tears|🙂 slight_smile slightly_smiling_face' +
  '|🙃 upside_down|😉 wink|😊 blush|😇 innocent angel_face' +
  '|🥰 smiling_hearts in_love|😍 heart_eyes|🤩 star_struck|😘 kissing_heart' +
  '|😗 kissing|😋 yum|😛 stuck_out_tongue|😜 winking_tongue|🤪 zany|🤑 money_mouth' +
  '|🤗 hugs hugging|🤭 hand_over_mouth|🤫 shush quiet|🤔 thinking think' +
  '|🤐 zipper_mouth|🤨 raised_eyebrow|😐 neutral_face|😑 expressionless' +
  '|😶 no_mouth|😏 smirk|😒 unamused|🙄 roll_eyes|😬 grimacing|😌 relieved' +
  '|😔 pensive|😪 sleepy|🤤 drooling|😴 sleeping|😷 mask|🤒 sick thermometer_face' +
  '|🤕 head_bandage|🤢 nauseated|🤮 vomiting|🤧 sneezing|🥵 hot_face|🥶 cold_face' +
  '|🥴 woozy|😵 dizzy_face|🤯 exploding_head mind_blown|🤠 cowboy' +
  '|🥳 partying party_face|😎 sunglasses cool_face|🤓 nerd|🧐 monocle|😕 confused' +
  '|😟 worried|🙁 slight_frown|☹️ frowning|😮 open_mouth|😯 hushed|😲 astonished' +
  '|😳 flushed|🥺 pleading|😦 frown_open|😨 fearful|😰 cold_sweat' +
  '|😥 disappointed_relieved|😢 cry|😭 sob|😱 scream|😖 confounded|😣 persevere' +
  '|😞 disappointed|😓 sweat|😩 weary|😫 tired_face|🥱 yawning|😤 triumph|😡 rage' +
  '|😠 angry|🤬 cursing|😈 smiling_imp|💀 skull|💩 poop|🤡 clown|👻 ghost|👽 alien' +
  '|🤖 robot|😺 smiley_cat|😻 heart_eyes_cat|🙈 see_no_evil|🙉 hear_no_evil' +
  '|🙊 speak_no_evil|❤️ heart red_heart|🧡 orange_heart|💛 yellow_heart' +
  '|💚 green_heart|💙 blue_heart|💜 purple_heart|🖤 black_heart|🤍 white_heart' +
  '|💔 broken_heart|💕 two_hearts|💯 100 hundred|💢 anger|💥 boom collision' +
  '|💫 dizzy|💦 sweat_drops|💨 dash|💬 speech_balloon comment|💭 thought_balloon' +
  '|💤 zzz|👋 wave hello|🤚 raised_back_of_hand|✋ raised_hand stop_hand' +
  '|👌 ok_hand|🤏 pinching|✌️ v victory peace_hand|🤞 crossed_fingers|🤟 love_you' +
  '|🤘 metal|🤙 call_me|👈 point_left|👉 point_right|👆 point_up|👇 point_down' +
  '|👍 +1 thumbsup like|👎 -1 thumbsdown dislike|✊ fist raised_fist|👊 punch' +
  '|👏 clap applause|🙌 raised_hands|👐 open_hands|🤝 handshake' +
  '|🙏 pray thanks please|✍️ writing_hand|💪 muscle strong|👀 eyes|👁️ eye' +
  '|🧠 brain|👶 baby|🧒 child|👩 woman|👨 man|🧑 person adult|👵 older_woman' +
  '|👴 older_man|🙋 raising_hand question_hand|🤦 facepalm|🤷 shrug|🙅 no_good' +
  '|🙆 ok_person|💁 tipping_hand|🙇 bow|👮 police|👷 construction_worker' +
  '|👩‍🏫 teacher|👩‍💻 technologist developer|👩‍🔬 scientist|👩‍🎓 student' +
  '|👩‍⚕️ health_worker|🧙 mage wizard|🚶 walking|🏃 running|💃 dancer|👪 family' +
  '|👥 busts people|🐶 dog|🐱 cat|🐭 mouse|🐰 rabbit|🦊 fox|🐻 bear|🐼 panda|🐨 koala' +
  '|🐯 tiger|🦁 lion|🐮 cow|🐷 pig|🐸 frog|🐵 monkey|🐔 chicken|🐧 penguin|🐦 bird' +
  '|🦉 owl|🦄 unicorn|🐝 bee|🐛 bug|🦋 butterfly|🐌 snail|🐢 turtle|🐍 snake' +
  '|🐙 octopus|🦀 crab|🐟 fish|🐬 dolphin|🐳 whale|🐘 elephant|🐎 horse|🐑 sheep' +
  '|💐 bouquet|🌸 cherry_blossom|🌹 rose|🌻 sunflower|🌷 tulip|🌱 seedling' +
  '|🌲 evergreen|🌳 tree|🌵 cactus|🍀 clover luck|🍁 maple_leaf|🍂 fallen_leaf' +
  '|🍄 mushroom|🌍 earth world|🌙 moon|⭐ star|🌟 glowing_star|✨ sparkles' +
  '|⚡ zap lightning|🔥 fire|🌈 rainbow|☀️ sun sunny|⛅ partly_sunny|☁️ cloud' +
  '|🌧️ rain|⛈️ storm|❄️ snowflake|⛄ snowman|💧 droplet|🌊 ocean_wave' +
  '|☂️ umbrella|🍏 green_apple|🍎 apple|🍐 pear|🍊 tangerine orange|🍋 lemon' +
  '|🍌 banana|🍉 watermelon|🍇 grapes|🍓 strawberry|🍒 cherries|🍑 peach|🥑 avocado' +
  '|🍅 tomato|🥕 carrot|🌽 corn|🥔 potato|🥦 broccoli|🍞 bread|🧀 cheese|🥚 egg' +
  '|🍔 hamburger|🍟 fries|🍕 pizza|🌮 taco|🥗 salad|🍝 spaghetti|🍜 noodles ramen' +
  '|🍣 sushi|🍚 rice|🍦 ice_cream|🍩 doughnut|🍪 cookie|🎂 birthday cake' +
  '|🍰 shortcake|🍫 chocolate|🍬 candy|🍯 honey|☕ coffee|🍵 tea|🍷 wine|🍺 beer' +
  '|🍻 beers|🥂 cheers|🍴 fork_and_knife|⚽ soccer football|🏀 basketball|🎾 tennis' +
  '|🏆 trophy|🥇 first_place|🎯 dart target|🎮 video_game|🎲 dice|🧩 puzzle|🎨 art' +
  '|🎵 music|🎸 guitar|🎤 microphone|🎬 clapper|🎉 tada party|🎊 confetti|🎈 balloon' +
  '|🎁 gift|🎄 christmas_tree|🎃 pumpkin|🚗 car|🚕 taxi|🚌 bus|🚲 bike|🚂 train' +
  '|✈️ airplane|🚀 rocket|🚢 ship|⚓ anchor|🚧 construction|🚦 traffic_light' +
  '|🗺️ map|🏠 house home|🏢 office|🏫 school|🏥 hospital|🏖️ beach|⛰️ mountain' +
  '|🏕️ camping|⌚ watch|📱 phone mobile|💻 laptop computer|🖥️ desktop' +
  '|⌨️ keyboard|🖨️ printer|📷 camera|🎥 movie_camera|📺 tv|☎️ telephone' +
  '|🔋 battery|🔌 plug|💡 bulb idea|🔦 flashlight|💰 moneybag|💳 credit_card' +
  '|✉️ envelope mail|📧 email|📦 package|📫 mailbox|✏️ pencil|🖊️ pen|📝 memo note' +
  '|📁 folder|📂 open_folder|📅 date calendar|📆 tear_calendar|📈 chart_up' +
  '|📉 chart_down|📊 bar_chart|📋 clipboard|📌 pushpin|📍 round_pin location' +
  '|📎 paperclip|📏 ruler|✂️ scissors|🗑️ wastebasket trash|🔒 lock|🔓 unlock' +
  '|🔑 key|🔨 hammer|🔧 wrench|⚙️ gear|🔗 link|🧪 test_tube|🔬 microscope' +
  '|🔭 telescope|💊 pill|🧹 broom|🚪 door|🛒 shopping_cart|📚 books' +
  '|📖 book open_book|🔍 mag search|⏰ alarm_clock|⏳ hourglass|⏱️ stopwatch' +
  '|🔔 bell|🔕 no_bell|📣 megaphone|📢 loudspeaker|✅ check white_check_mark done' +
  '|☑️ ballot_box|✔️ heavy_check_mark|❌ x cross|❎ cross_mark_button|➕ plus' +
  '|➖ minus|❓ question|❗ exclamation|⚠️ warning|🚫 no_entry_sign forbidden' +
  '|⛔ no_entry|🛑 stop|♻️ recycle|🔴 red_circle|🟠 orange_circle|🟡 yellow_circle' +
  '|🟢 green_circle|🔵 blue_circle|🟣 purple_circle|⚫ black_circle' +
  '|⚪ white_circle|🏁 checkered_flag finish|🚩 flag|🏳️‍🌈 rainbow_flag' +
  '|⬆️ arrow_up|⬇️ arrow_down|⬅️ arrow_left|➡️ arrow_right|🔄 refresh|🆕 new' +
  '|🆗 ok|🆘 sos|🔝 top|ℹ️ information';

export const EMOJI: readonly (readonly [sign: string, names: readonly string[]])[] = TABLE.split(
  '|',
).map((entry) => {
  const [sign = '', ...names] = entry.split(' ');
  return [sign, names];
});
