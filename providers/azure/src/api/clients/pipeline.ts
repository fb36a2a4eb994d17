export { createHttpHeaders, RestError } from '@azure/core-rest-pipeline'
