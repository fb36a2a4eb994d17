// Adds language features that are newer than Node 20, for users who run the bundle on Node 20. The image and a clone use a newer
// Node.
import 'core-js/actual/array/from-async.js'
import 'core-js/actual/iterator/index.js'
import 'core-js/actual/map/group-by.js'
import 'core-js/actual/object/group-by.js'
import 'core-js/actual/promise/try.js'
import 'core-js/actual/promise/with-resolvers.js'
import 'core-js/actual/set/index.js'
