import type { AwsApi } from '../../api/aws-api.ts'
import type { Leftovers } from '../../api/leftovers.ts'
import type { Transcript } from './transcript.ts'

/** Removes abort signals, which are not part of a call. */
const withoutSignal = (args: readonly unknown[]): readonly unknown[] =>
  args.filter((arg) => !(arg instanceof AbortSignal))

/** Returns a wrapper of the service that adds every completed call to the transcript. */
const recorded = <Service extends object>(service: string, target: Service, transcript: Transcript): Service =>
  new Proxy(target, {
    get: (_target, key) => {
      const member: unknown = Reflect.get(target, key, target)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const input = withoutSignal(args)
        try {
          const output: unknown = await member.apply(target, args)
          transcript.add(service, key, input, { output })
          return output
        } catch (error) {
          transcript.add(service, key, input, { error })
          throw error
        }
      }
    },
  })

/** Returns AWS clients that record every call. */
export const recordedApi = (api: AwsApi, transcript: Transcript): AwsApi => ({
  ec2: recorded('ec2', api.ec2, transcript),
  ssm: recorded('ssm', api.ssm, transcript),
  iam: recorded('iam', api.iam, transcript),
  pricing: recorded('pricing', api.pricing, transcript),
  sqs: recorded('sqs', api.sqs, transcript),
  eks: recorded('eks', api.eks, transcript),
  sts: recorded('sts', api.sts, transcript),
  zonalShift: recorded('zonalShift', api.zonalShift, transcript),
  savingsPlans: recorded('savingsPlans', api.savingsPlans, transcript),
})

export const recordedLeftovers = (leftovers: Leftovers, transcript: Transcript): Leftovers =>
  recorded('ec2', leftovers, transcript)
