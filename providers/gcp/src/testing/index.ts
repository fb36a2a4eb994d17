export { fakeApi, loadSdk } from './fake-gcp/connect.ts'
export { FakeGcp } from './fake-gcp/fake-gcp.ts'
export { serveGcp } from './fake-gcp/loopback.ts'
export { type NodeClassVerdict, nodeClassVerdicts } from './node-class-verdicts.ts'
