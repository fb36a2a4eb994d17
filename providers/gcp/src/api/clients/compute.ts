export { compute_v1 } from '@googleapis/compute/build/v1.js'
