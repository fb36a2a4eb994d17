// What the language has got since Node 20, for those who run the bundle on it. The image and a clone have a newer one.
import 'core-js/actual/array/from-async.js'
import 'core-js/actual/iterator/index.js'
import 'core-js/actual/map/group-by.js'
import 'core-js/actual/object/group-by.js'
import 'core-js/actual/promise/try.js'
import 'core-js/actual/promise/with-resolvers.js'
import 'core-js/actual/set/index.js'
