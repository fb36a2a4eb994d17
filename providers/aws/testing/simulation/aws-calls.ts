import type { Milliseconds } from '@kerf/apis'
import type { AwsApi } from '@kerf/provider-aws'
import type { FakeAws } from '@kerf/provider-aws/testing'
import type { Fault, Faults } from '@kerf/provider-kit/testing'
import { type Clock, sleep } from '@kerf/runtime'
import type { AwsFault } from './aws-fault.ts'

export type CallFault = Extract<AwsFault, { readonly kind: 'aws-call' }>
type Service = keyof AwsApi

/** The process that makes the calls. */
export interface Caller {
  readonly isDead: boolean
  /** Ends the process during a call. */
  crash(): void
}

/** The functions that are notified of calls. */
export interface CallWatcher {
  /** Called when Kerf makes a call, with its name in the fake. The returned fault takes precedence over all added faults. */
  called(call: string): CallFault | undefined
  /** Called when a message was deleted from the interruption queue. */
  messageDeleted(body: string): void
}

/** The duration of CreateFleet. All other calls are much faster. */
const FLEET_TAKES: Milliseconds = 1_500
const SLOW_ANSWER: Milliseconds = 7_000

/**
 * The errors of AWS by kind of failure. Each service has its own error for throttling (the "Common errors" of the API
 * references of EC2, Systems Manager and SQS). A connection may be lost before or after the work was done.
 */
const serviceFaultOf = ({ failure, when, call }: CallFault): Fault | undefined => {
  const afterwards = when === 'after'
  switch (failure) {
    case 'throttled':
      if (call === 'getParameter' || call === 'receive' || call === 'delete')
        return { code: 'ThrottlingException', status: 400 }
      return { code: 'RequestLimitExceeded', status: 503 }
    case 'error':
      return { code: 'InternalError', status: 500, afterwards }
    case 'cut':
    case 'crash':
      return { code: 'network', afterwards }
    case 'slow':
      return undefined
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** Returns the name of a call in the fake. Lists and dry runs have separate names. */
const nameOf = (method: string, [input]: readonly unknown[]): string => {
  const fields = typeof input === 'object' && input !== null ? input : {}
  if (method === 'describeInstances' && !('ids' in fields && fields.ids !== undefined)) return 'listInstances'
  if (method === 'createFleet' && 'DryRun' in fields && fields.DryRun === true) return 'tryFleet'
  return method
}

/** Returns true if the call with this name is read-only. */
export const isAwsRead = (call: string): boolean => /^(describe|list|get|receive|try)/.test(call)

/** The calls of processes to AWS. Drops the calls of dead processes, and injects faults into all others. */
export class AwsCalls {
  readonly #aws: FakeAws
  readonly #clock: Clock
  readonly #watcher: CallWatcher
  /** The process whose call is in progress. That process caused everything that happens within the call. */
  caller: Caller | undefined
  #waiting: { readonly fault: CallFault; skip: number; times: number }[] = []

  constructor(aws: FakeAws, clock: Clock, watcher: CallWatcher) {
    this.#aws = aws
    this.#clock = clock
    this.#watcher = watcher
  }

  add(fault: CallFault): void {
    this.#waiting.push({ fault, skip: fault.skip, times: fault.times })
  }

  clear(): void {
    this.#waiting = []
  }

  /** Returns the AWS clients of one process. */
  of(caller: Caller): AwsApi {
    const { ec2, ssm, iam, pricing, sqs, eks, sts, zonalShift, savingsPlans } = this.#aws
    return {
      ec2: this.#heard('ec2', ec2, caller),
      ssm: this.#heard('ssm', ssm, caller),
      iam: this.#heard('iam', iam, caller),
      pricing: this.#heard('pricing', pricing, caller),
      sqs: this.#heard('sqs', sqs, caller),
      eks: this.#heard('eks', eks, caller),
      sts: this.#heard('sts', sts, caller),
      zonalShift: this.#heard('zonalShift', zonalShift, caller),
      savingsPlans: this.#heard('savingsPlans', savingsPlans, caller),
    }
  }

  #heard<T extends object>(service: Service, target: T, caller: Caller): T {
    return new Proxy(target, {
      get: (_, property) => {
        const member: unknown = Reflect.get(target, property, target)
        if (typeof member !== 'function' || typeof property !== 'string') return member
        return (...args: readonly unknown[]): Promise<unknown> =>
          this.#call(service, nameOf(property, args), args, caller, () => Reflect.apply(member, target, [...args]))
      },
    })
  }

  async #call(
    service: Service,
    call: string,
    args: readonly unknown[],
    caller: Caller,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    if (caller.isDead) return await never()
    const fault = this.#watcher.called(call) ?? this.#inject(call)
    const isLate = fault?.failure === 'slow'
    if (isLate && fault.when === 'before') await sleep(this.#clock, SLOW_ANSWER)
    if (caller.isDead) return await never()
    const serviceFault = fault === undefined ? undefined : serviceFaultOf(fault)
    if (serviceFault !== undefined) this.#faultsOf(service)?.next(call, serviceFault)
    const body = call === 'delete' ? this.#aws.sqs.messages.get(String(args[1])) : undefined
    this.caller = caller
    const working = work()
    this.caller = undefined
    const [answer] = await Promise.allSettled([working])
    if (body !== undefined && !this.#aws.sqs.messages.has(String(args[1]))) this.#watcher.messageDeleted(body)
    if (fault?.failure === 'crash' && !caller.isDead) caller.crash()
    if (caller.isDead) return await never()
    if (call === 'createFleet') await sleep(this.#clock, FLEET_TAKES)
    if (isLate && fault.when === 'after') await sleep(this.#clock, SLOW_ANSWER)
    if (caller.isDead) return await never()
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  #inject(call: string): CallFault | undefined {
    let injected: CallFault | undefined
    for (const each of this.#waiting) {
      if (each.fault.call !== call || each.times === 0) continue
      if (each.skip > 0) each.skip--
      else if (injected === undefined) {
        each.times--
        injected = each.fault
      }
    }
    return injected
  }

  #faultsOf(service: Service): Faults | undefined {
    return service === 'sts' ? undefined : this.#aws[service].faults
  }
}
