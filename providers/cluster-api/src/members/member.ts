import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MemberProblem } from './member-problem.ts'

/** A MachineDeployment that a ClusterAPINodeClass selects, of our own cluster. */
export interface Member {
  readonly deployment: MachineDeployment
  /** False while nothing can come of a scale-up: it, or its Cluster, is paused or being deleted. */
  readonly mayLaunch: boolean
  /** False where Cluster API itself replaces Machines when the template changes. */
  readonly mayDrift: boolean
}

/** What a class selects, by namespace and name, and everything that is wrong with it. */
export interface Membership {
  readonly members: readonly Member[]
  readonly problems: readonly MemberProblem[]
}
