export { type ExampleNodeClass, exampleNodeClass } from './example-node-class.ts'
export { ExampleProvider } from './example-provider.ts'
export type { Server, ServerApi, ServerRequest } from './server-api.ts'
export { serverTypes } from './server-types.ts'
