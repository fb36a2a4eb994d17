import { CreateError, InsufficientCapacityError } from '@kerf/provider-contract'
import type { LaunchResult } from '../api/actions.ts'
import { type FailureKind, kindOfCode } from '../failures/failure-kind.ts'
import { causeOfKind, toStepCause } from '../failures/step-cause.ts'

/** The failure kinds after which Kerf may launch another offering, or the same offering later. */
type CapacityKind = 'no-stock' | 'quota' | 'addresses' | 'disk' | 'type-unfit'

/** The remedies for the user. Undefined if it is enough to wait or to try another offering. */
const remedies: Readonly<Record<CapacityKind, string | undefined>> = {
  'no-stock': undefined,
  'type-unfit': 'allow other instance types, or select another image',
  quota: 'raise the quota of the account, or allow other instance types',
  addresses:
    'free addresses of the vSwitches, add a vSwitch to spec.vSwitchSelectorTerms, or use another security group',
  disk: 'add categories to spec.systemDisk.categories and spec.dataDiskCategories, or allow other instance types',
}

export const isCapacityKind = (kind: FailureKind): kind is CapacityKind => Object.hasOwn(remedies, kind)

/** Returns the message of a capacity error: the API's message, and the remedy for each failure kind. */
export const capacityText = (kinds: readonly CapacityKind[], problem: string): string => {
  const texts = new Set(kinds.flatMap((kind) => remedies[kind] ?? []))
  return [problem, ...texts].join('; ')
}

/** Returns the condition's reason and message for a failure that the user must fix or that ends after some time. */
export const failureText = (kind: FailureKind, code: string, detail: string): [reason: string, message: string] => {
  switch (kind) {
    case 'credentials':
    case 'region':
    case 'cluster': {
      const { reason, message } = causeOfKind(kind, `${code}: ${detail}`)
      return [reason, message]
    }
    case 'account':
      return [
        'AccountRefused',
        `Alibaba Cloud refuses the launch (${code}: ${detail}); check the balance and the permissions of the account, because no other launch will work either`,
      ]
    case 'configuration':
      return [
        'LaunchConfigurationInvalid',
        `Alibaba Cloud refuses a setting of the ECSNodeClass (${code}: ${detail}); correct the field that the message names`,
      ]
    case 'throttled':
      return ['Throttled', `Alibaba Cloud throttles launches (${code}); Kerf retries the launch`]
    case 'no-stock':
    case 'type-unfit':
    case 'quota':
    case 'addresses':
    case 'disk':
    case 'not-found':
    case 'server':
    case 'other':
      return [
        'LaunchFailed',
        `Alibaba Cloud could not launch an instance (${code}: ${detail}); Kerf retries the launch`,
      ]
  }
}

/** Returns the error for a launch without a response from the API. The launch may have succeeded. */
export const unansweredLaunch = (error: unknown): Error => {
  const cause = toStepCause(error)
  const [reason, message] =
    cause === undefined || cause.isBrief === true
      ? ['LaunchFailed', 'Alibaba Cloud did not answer the launch; Kerf retries the launch']
      : [cause.reason, cause.message]
  return new CreateError(reason, message, { cause: error })
}

/** Returns the error for a launch whose results contain no instance. */
export const noInstance = (results: readonly LaunchResult[], nodeClass: string): Error => {
  const codes = [...new Set(results.flatMap(({ ErrorCode }) => ErrorCode ?? []))]
  const decisive = codes.find((code) => !isCapacityKind(kindOfCode(code)))
  if (codes.length > 0 && decisive === undefined)
    return new InsufficientCapacityError(
      capacityText(codes.map((code) => kindOfCode(code)).filter(isCapacityKind), codes.join(', ')),
    )
  const detail =
    results.find(({ ErrorCode }) => ErrorCode === decisive)?.ErrorMsg ?? 'neither an instance nor an error was returned'
  return new CreateError(...failureText(kindOfCode(decisive ?? ''), decisive ?? 'Unknown', detail), {
    cause: new Error(`CreateAutoProvisioningGroup for ECSNodeClass ${nodeClass}`),
  })
}
