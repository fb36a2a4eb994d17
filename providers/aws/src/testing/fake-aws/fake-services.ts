import { type Fault, Faults } from '@kerf/provider-kit/testing'
import type {
  EksApi,
  IamApi,
  InstanceProfile,
  PricingApi,
  QueueMessage,
  SavingsPlan,
  SavingsPlanRate,
  SavingsPlansApi,
  SqsApi,
  SsmApi,
  StsApi,
  ZonalShift,
  ZonalShiftApi,
} from '../../api/aws-api.ts'
import { ec2Type } from '../type-table.ts'
import type { FakeEc2 } from './fake-ec2.ts'
import { fakePrice } from './fake-price.ts'
import type { Requests } from './requests.ts'
import { sdkError } from './sdk-error.ts'

/** An in-memory Parameter Store. The parameters of AL2023 contain the images of the fake EC2. */
export class FakeSsm implements SsmApi {
  readonly faults: Faults
  readonly parameters = new Map<string, string>()
  /** Returns the error for a parameter that a policy denies or that is throttled, or undefined for other parameters. */
  refuses: ((name: string) => Fault | undefined) | undefined

  constructor(kubernetes: string, requests: Requests) {
    this.faults = new Faults(requests, sdkError)
    const name = (arch: string, variant: string): string =>
      `/aws/service/eks/optimized-ami/${kubernetes}/amazon-linux-2023/${arch}/${variant}/recommended/image_id`
    this.parameters.set(name('x86_64', 'standard'), 'ami-x86')
    this.parameters.set(name('arm64', 'standard'), 'ami-arm')
    this.parameters.set(name('x86_64', 'nvidia'), 'ami-gpu')
  }
  getParameter(name: string, signal: AbortSignal) {
    return this.faults.run('getParameter', signal, () => {
      const fault = this.refuses?.(name)
      if (fault !== undefined) throw sdkError(fault)
      const value = this.parameters.get(name)
      if (value === undefined) throw sdkError({ code: 'ParameterNotFound' })
      return value
    })
  }
}

/** Returns a profile without its tags, because Kerf's `InstanceProfile` has no field for them. */
const withoutTags = ({ name, path, roles }: InstanceProfile): InstanceProfile => ({ name, path, roles })

export class FakeIam implements IamApi {
  readonly faults: Faults
  readonly roles = new Set(['KarpenterNodeRole-demo'])
  readonly profiles = new Map<string, InstanceProfile & { readonly tags: Readonly<Record<string, string>> }>()

  constructor(requests: Requests) {
    this.faults = new Faults(requests, sdkError)
  }

  getInstanceProfile(name: string, signal: AbortSignal) {
    return this.faults.run('getInstanceProfile', signal, () => withoutTags(this.#profile(name)))
  }
  listInstanceProfiles(prefix: string, signal: AbortSignal) {
    return this.faults.run('listInstanceProfiles', signal, () =>
      [...this.profiles.values()].filter(({ path }) => path.startsWith(prefix)).map(withoutTags),
    )
  }
  createInstanceProfile(
    profile: { readonly name: string; readonly path: string; readonly tags: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ) {
    return this.faults.run('createInstanceProfile', signal, () => {
      if (this.profiles.has(profile.name)) throw sdkError({ code: 'EntityAlreadyExists', status: 409 })
      const made = { ...profile, roles: [] }
      this.profiles.set(profile.name, made)
      return withoutTags(made)
    })
  }
  deleteInstanceProfile(name: string, signal: AbortSignal) {
    return this.faults.run('deleteInstanceProfile', signal, () => {
      if (this.#profile(name).roles.length > 0) throw sdkError({ code: 'DeleteConflict', status: 409 })
      this.profiles.delete(name)
    })
  }
  addRole(name: string, role: string, signal: AbortSignal) {
    return this.faults.run('addRole', signal, () => {
      const profile = this.#profile(name)
      if (!this.roles.has(role))
        throw sdkError({ code: 'NoSuchEntity', message: `Role ${role} not found`, status: 404 })
      if (profile.roles.length > 0) throw sdkError({ code: 'LimitExceeded', status: 409 })
      this.profiles.set(name, { ...profile, roles: [role] })
    })
  }
  removeRole(name: string, role: string, signal: AbortSignal) {
    return this.faults.run('removeRole', signal, () => {
      const profile = this.#profile(name)
      this.profiles.set(name, { ...profile, roles: profile.roles.filter((each) => each !== role) })
    })
  }
  #profile(name: string) {
    const profile = this.profiles.get(name)
    if (profile === undefined)
      throw sdkError({ code: 'NoSuchEntity', message: `Instance Profile ${name} cannot be found.`, status: 404 })
    return profile
  }
}

export class FakePricing implements PricingApi {
  readonly faults: Faults
  readonly #ec2: FakeEc2
  constructor(ec2: FakeEc2, requests: Requests) {
    this.faults = new Faults(requests, sdkError)
    this.#ec2 = ec2
  }
  getProducts(_service: string, attributes: Readonly<Record<string, string>>, signal: AbortSignal) {
    return this.faults.run('getProducts', signal, () => {
      const isMetal = attributes['productFamily']?.includes('bare metal') === true
      // The price list of a region contains virtualized and bare-metal instance types, even if the fake does not offer both.
      return [...this.#ec2.types.filter(({ BareMetal }) => BareMetal !== true), ec2Type('m5.metal')]
        .filter(({ BareMetal }) => (BareMetal ?? false) === isMetal)
        .filter(({ InstanceType = '' }) => !this.#ec2.unpriced.has(InstanceType))
        .map((type) =>
          JSON.stringify({
            product: { attributes: { instanceType: type.InstanceType } },
            terms: {
              OnDemand: {
                term: {
                  priceDimensions: { dimension: { pricePerUnit: { USD: String(fakePrice(type, 'on-demand')) } } },
                },
              },
            },
          }),
        )
    })
  }
}

/** An in-memory queue whose receive call returns immediately. After an empty response, the next call waits as long as a long poll would. */
export class FakeSqs implements SqsApi {
  readonly faults: Faults
  readonly messages = new Map<string, string>()
  exists = true
  #serial = 0
  readonly #wait: (signal: AbortSignal) => Promise<void>

  constructor(wait: (signal: AbortSignal) => Promise<void>, requests: Requests) {
    this.faults = new Faults(requests, sdkError)
    this.#wait = wait
  }
  send(body: string): void {
    this.messages.set(`receipt-${++this.#serial}`, body)
  }
  queueUrl(name: string, signal: AbortSignal) {
    return this.faults.run('queueUrl', signal, () => {
      if (!this.exists) throw sdkError({ code: 'QueueDoesNotExist' })
      return `https://queue/${name}`
    })
  }
  async receive(_url: string, signal: AbortSignal): Promise<readonly QueueMessage[]> {
    if (this.messages.size === 0) await this.#wait(signal)
    return this.faults.run('receive', signal, () =>
      [...this.messages].slice(0, 10).map(([receiptHandle, body]) => ({ receiptHandle, body })),
    )
  }
  delete(_url: string, receipt: string, signal: AbortSignal) {
    return this.faults.run('delete', signal, () => {
      this.messages.delete(receipt)
    })
  }
}

/** An in-memory EKS. All fields of a cluster are optional in its API model (`Cluster` of the EKS API reference). */
export class FakeEks implements EksApi {
  readonly faults: Faults
  version: string | undefined = '1.34'

  constructor(requests: Requests) {
    this.faults = new Faults(requests, sdkError)
  }
  describeCluster(name: string, signal: AbortSignal) {
    return this.faults.run('describeCluster', signal, () => ({
      arn: `arn:aws:eks:us-east-1:123456789012:cluster/${name}`,
      endpoint: `https://${name}.eks`,
      ...(this.version === undefined ? {} : { version: this.version }),
      serviceCidr: '10.100.0.0/16',
    }))
  }
}

/**
 * An in-memory zonal shift service. It returns shifts by the ARN of the resource, like GetManagedResource. An expired shift stays listed
 * for a while. A shift that was replaced by another shift is listed as not applied (ZonalShiftInResource in the API reference of ARC).
 */
export class FakeZonalShift implements ZonalShiftApi {
  readonly faults: Faults
  readonly resources = new Map<string, ZonalShift[]>()

  constructor(requests: Requests) {
    this.faults = new Faults(requests, sdkError)
  }
  getManagedResource(arn: string, signal: AbortSignal) {
    return this.faults.run('getManagedResource', signal, () => {
      const shifts = this.resources.get(arn)
      if (shifts === undefined) throw sdkError({ code: 'ResourceNotFoundException', status: 404 })
      return { shifts: [...shifts] }
    })
  }
}

/**
 * An in-memory Savings Plans API, with rates by region. All fields of a plan are optional in the API model, so plans of other kinds have no
 * family. A request for the rates of an unknown plan is refused (Savings Plans API reference, DescribeSavingsPlanRates, "Errors").
 */
export class FakeSavingsPlans implements SavingsPlansApi {
  readonly faults: Faults
  readonly plans: SavingsPlan[] = []
  /** The rates by the id of the plan and the region. */
  readonly rates = new Map<string, readonly SavingsPlanRate[]>()

  constructor(requests: Requests) {
    this.faults = new Faults(requests, sdkError)
  }
  describeSavingsPlans(signal: AbortSignal) {
    return this.faults.run('describeSavingsPlans', signal, () => [...this.plans])
  }
  describeSavingsPlanRates(planId: string, region: string, signal: AbortSignal) {
    return this.faults.run('describeSavingsPlanRates', signal, () => {
      if (!this.plans.some(({ id }) => id === planId))
        throw sdkError({ code: 'ResourceNotFoundException', status: 404 })
      return this.rates.get(`${planId}/${region}`) ?? []
    })
  }
}

export class FakeSts implements StsApi {
  callerIdentity() {
    return Promise.resolve({ account: '123456789012', arn: 'arn:aws:sts::123456789012:assumed-role/karpenter/x' })
  }
}
