import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MemberProblem } from './member-problem.ts'

/** A MachineDeployment of our own Cluster that a ClusterAPINodeClass selects. */
export interface Member {
  readonly deployment: MachineDeployment
  /** False while a scale-up has no effect, because the MachineDeployment or its Cluster is paused or being deleted. */
  readonly mayLaunch: boolean
  /** False if Cluster API itself replaces Machines when the template changes. */
  readonly mayDrift: boolean
}

/** The members of a node class, sorted by namespace and name, and all problems with them. */
export interface Membership {
  readonly members: readonly Member[]
  readonly problems: readonly MemberProblem[]
}
