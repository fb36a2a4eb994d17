export { type ClusterAccess, type ClusterResponse, callCluster } from './access.ts'
export { borrow } from './borrow.ts'
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
export { craneProgram, findCrane } from './crane.ts'
export { freePort } from './free-ports.ts'
export { GoBuildError, haveGo } from './go-module.ts'
export { findHelm, helmProgram } from './helm.ts'
export type { Definition } from './kept-definitions.ts'
export { findKrew, krewProgram } from './krew.ts'
export { Lending } from './lending.ts'
export { type Loan, type LoanServer, serveLoans } from './loan-server.ts'
export { buildPinned, findPinned, type PinnedProgram, pinnedProgramMain } from './pinned-program.ts'
export { resetCluster } from './reset.ts'
export { type ProgramResult, runProgram } from './run-program.ts'
export { serveSharedControlPlane } from './shared-server.ts'
export { type ProgramEnd, type ProgramOptions, StartedProgram, startProgram } from './start-program.ts'
export { startWatchdog, type Watchdog } from './watchdog.ts'
