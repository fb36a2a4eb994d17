export { type ClusterAccess, type ClusterAnswer, callCluster } from './access.ts'
export {
  buildMissing,
  type ComponentName,
  type Components,
  ControlPlaneUnavailableError,
  componentNames,
  findComponents,
} from './components.ts'
export {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
  type User,
} from './control-plane.ts'
export { freePort } from './free-ports.ts'
export { GoBuildError, haveGo } from './go-module.ts'
export { buildHelm, findHelm } from './helm.ts'
export { resetCluster } from './reset.ts'
export { type ProgramResult, runProgram } from './run-program.ts'
export { type ProgramEnd, type ProgramOptions, StartedProgram, startProgram } from './start-program.ts'
