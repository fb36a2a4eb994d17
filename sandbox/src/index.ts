export type { ApiCall, Interceptor } from './api/interceptor.ts'
export { administrator, type Identity } from './api/request.ts'
export { SandboxApi, type SandboxApiOptions } from './api/sandbox-api.ts'
export { SandboxServer, type SandboxServerOptions } from './http/sandbox-server.ts'
