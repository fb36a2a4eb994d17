import { ProblemError } from '@kerf/apis'
import type { AccountCommitment } from '@kerf/provider-contract'
import type { AwsApi } from '../api/aws-api.ts'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { isPlanFor, planCommitment, reservedCommitment } from './account-commitments.ts'

/**
 * The maximum number of rates in all plans together. The status of the ClusterPolicy stores the rates, and etcd limits the size of an
 * object.
 */
const MOST_RATES = 10_000

/** The dependencies of `readCommitments`. */
export interface CommitmentReading {
  readonly api: Pick<AwsApi, 'savingsPlans'> & { readonly ec2: Pick<AwsApi['ec2'], 'describeReservedInstances'> }
  readonly region: string
  readonly clusterName: string
  typeNamed(name: string): Ec2InstanceType | undefined
}

/**
 * Returns the result of `call`.
 * @throws ProblemError if AWS refuses the request
 */
const allowed = async <T>(action: string, { clusterName }: CommitmentReading, call: () => Promise<T>): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (classifyAwsFailure(error).class !== 'unauthorized') throw error
    throw new ProblemError(
      `AWS refuses ${action}. Attach the policy that "kerf aws policy --cluster-name ${clusterName} --capability commitments" prints to the role of Kerf, or remove spec.commitmentSource.account.`,
      { cause: error },
    )
  }
}

/**
 * Returns the reserved instances of the region and the Savings Plans of the account (`providers/aws/docs/spec/aws.md#commitments-of-the-account`).
 *
 * @throws ProblemError if a permission is missing, or if the plans have too many rates
 */
export const readCommitments = async (
  reading: CommitmentReading,
  signal: AbortSignal,
): Promise<readonly AccountCommitment[]> => {
  const { api, region, typeNamed } = reading
  const reserved = await allowed('ec2:DescribeReservedInstances', reading, () =>
    api.ec2.describeReservedInstances(signal),
  )
  const plans = await allowed('savingsplans:DescribeSavingsPlans', reading, () =>
    api.savingsPlans.describeSavingsPlans(signal),
  )
  const commitments = reserved.flatMap((each) => reservedCommitment(each, region, typeNamed) ?? [])
  let rateCount = 0
  for (const plan of plans.filter((each) => isPlanFor(each, region))) {
    const rates = await allowed('savingsplans:DescribeSavingsPlanRates', reading, () =>
      api.savingsPlans.describeSavingsPlanRates(plan.id, region, signal),
    )
    rateCount += rates.length
    if (rateCount > MOST_RATES)
      throw new ProblemError(
        `the Savings Plans of the account have more than ${MOST_RATES} rates in ${region}. Declare the plans in spec.commitments with "factor".`,
      )
    const commitment = planCommitment(plan, rates, region)
    if (commitment !== undefined) commitments.push(commitment)
  }
  return commitments.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
