export { container_v1 } from '@googleapis/container/build/v1.js'
