import type { UsdPerHour } from '@kerf/apis'

/** The user's choices, and the account's resources for the run. */
export interface VerifyTarget {
  readonly region: string
  /** Eight hexadecimal digits that identify the run. Every resource of the run has a tag with them. */
  readonly run: string
  readonly role: string
  readonly subnetIds: readonly string[]
  readonly securityGroupIds: readonly string[]
  readonly kubernetesVersion: string
}

/** Returns the name of a cluster that does not exist, so the run affects no real cluster and no instance joins one. */
export const verifyClusterName = (run: string): string => `kerf-verify-${run}`

/** The maximum lifetime of the two instances, in minutes. */
const MOST_MINUTES = 15

/** Returns the maximum cost. EC2 bills at least one minute. The volume of 20 GiB is billed by the second and costs less than a cent. */
const highestCost = (price: UsdPerHour): number => (price * MOST_MINUTES) / 60

/** Returns the description of the actions that the user must confirm. */
export const planText = (
  target: VerifyTarget,
  chosen: { readonly type: string; readonly price: UsdPerHour | undefined; readonly refused: string | undefined },
  account: string,
): string => {
  const { region, run, role, subnetIds, securityGroupIds } = target
  const cost =
    chosen.price === undefined ? 'an unknown price' : `at most $${(2 * highestCost(chosen.price)).toFixed(2)}`
  return `In account ${account}, region ${region}, Kerf will, in about ten minutes and for ${cost}:

  1. create the instance profile of an EC2NodeClass with the role ${role} (IAM)
  2. create launch templates, in ${subnetIds.length} ${subnetIds.length === 1 ? 'subnet' : 'subnets'} (${subnetIds.join(', ')}) with the security groups ${securityGroupIds.join(', ')}
  3. launch one instance on demand, and request it again: there must be only one (${chosen.type} or as cheap)
  4. launch one spot instance and terminate it without Kerf: Kerf must notice
  5. ${chosen.refused === undefined ? 'skip the rejected type: every type is offered in every zone of the region' : `request ${chosen.refused}, where EC2 does not offer it: EC2 must reject it, and Kerf must recognize the error`}
  6. terminate what it launched, delete templates and profile
  7. look for anything that has the tag kubernetes.io/cluster/${verifyClusterName(run)}: there must be nothing

The instances boot Amazon Linux with user data for a cluster that does not exist; they join none. Whatever happens, also on Ctrl-C,
it ends with the clean-up. If the process is killed, this removes what is left:

  kerf aws verify --clean-up ${run} --region ${region}
`
}
