import type { LaunchDetails } from '../../api/launch-details.ts'
import type { FakeAccount, FakeInstance } from './fake-account.ts'
import { refuseLaunch } from './launch-rules.ts'
import { coreModels } from './model-schema.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT } from './names.ts'
import { invalidParameter, notFound, type Refusal } from './refusal.ts'
import * as answers from './responses.ts'

/** A request to one operation. `id` is the id in its path. */
export interface FakeCall {
  readonly account: FakeAccount
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly retryToken: string
}

/** An accepted call. The fake divides lists into pages. */
export type Outcome =
  | Refusal
  | { readonly body: object; readonly workRequest?: string }
  | { readonly items: readonly object[]; readonly isCollection?: boolean }
  | { readonly isDone: true }

export type Operation = (call: FakeCall) => Outcome

const LONGEST_TOKEN = 64

const one = (found: object | undefined, what: string): Outcome =>
  found === undefined ? notFound(what) : { body: found }

/** Returns a list operation. It fails if the compartment does not exist or the caller may not read it. */
const inCompartment =
  (items: (call: FakeCall) => readonly object[], isCollection = false): Operation =>
  (call) =>
    call.query['compartmentId'] === COMPARTMENT ? { items: items(call), isCollection } : notFound('compartment')

const byName =
  <T extends { readonly name: string }>({ displayName }: FakeCall['query']) =>
  ({ name }: T): boolean =>
    displayName === undefined || displayName === name

const living = ({ account }: FakeCall): readonly FakeInstance[] =>
  account.instances.living().filter(({ failure }) => failure === undefined)

const launch: Operation = ({ account, body, retryToken }) => {
  if (retryToken === '' || retryToken.length > LONGEST_TOKEN)
    return invalidParameter(`opc-retry-token must have 1 to ${LONGEST_TOKEN} characters`)
  const details = body as LaunchDetails
  const earlier = account.launches.get(retryToken)
  const text = JSON.stringify(body)
  if (earlier !== undefined && earlier.details !== text)
    return {
      ...{ status: 409, code: 'InvalidatedRetryToken' },
      message: 'The provided retry token was used in an earlier request with other parameters.',
    }
  const known = account.instances.get(earlier?.instance ?? '')
  if (known !== undefined) return { body: answers.instanceResponse(account, known), workRequest: known.workRequest }
  const refusal = refuseLaunch(details, account)
  if (refusal !== undefined) return refusal
  const lacksHosts = details.capacityReservationId === undefined && account.stockOut(details) !== undefined
  const made = account.put(details, 0, lacksHosts ? 'Out of host capacity.' : undefined)
  account.launches.set(retryToken, { details: text, instance: made.id })
  if (!lacksHosts) account.onLaunched(made)
  return { body: answers.instanceResponse(account, made), workRequest: made.workRequest }
}

const terminate: Operation = ({ account, id }) => {
  const found = account.instances.get(id)
  if (found === undefined) return notFound('instance')
  if (account.lifecycleState(found) === 'TERMINATED') return notFound('instance')
  account.terminate(found)
  return { isDone: true }
}

const update: Operation = ({ account, id, body }) => {
  const found = account.instances.get(id)
  if (found === undefined) return notFound('instance')
  const [problem] = coreModels.problems('UpdateInstanceDetails', body)
  if (problem !== undefined) return invalidParameter(problem)
  const changed = { ...found, details: { ...found.details, ...(body as Partial<LaunchDetails>) } }
  account.instances.set(id, changed)
  return { body: answers.instanceResponse(account, changed) }
}

const workRequestInstance = ({ account, id }: FakeCall): FakeInstance | undefined =>
  account.instances.visible().find(({ workRequest }) => workRequest === id)

/** The operations by method and path below `/20160918`. `{}` represents an id. */
export const operations: Readonly<Record<string, readonly [name: string, Operation]>> = {
  'GET /availabilityDomains': [
    'ListAvailabilityDomains',
    inCompartment(() => AVAILABILITY_DOMAINS.map(answers.availabilityDomainResponse)),
  ],
  'GET /shapes': ['ListShapes', inCompartment(({ account }) => account.shapes)],
  'POST /instances': ['LaunchInstance', launch],
  'GET /instances': [
    'ListInstances',
    inCompartment(({ account }) => account.listed().map((each) => answers.instanceResponse(account, each))),
  ],
  'GET /instances/{}': [
    'GetInstance',
    ({ account, id }) => {
      const found = account.instances.visible().find((each) => each.id === id)
      return one(found && answers.instanceResponse(account, found), 'instance')
    },
  ],
  'DELETE /instances/{}': ['TerminateInstance', terminate],
  'PUT /instances/{}': ['UpdateInstance', update],
  'GET /vnicAttachments': [
    'ListVnicAttachments',
    inCompartment((call) =>
      living(call)
        .filter(({ id }) => (call.query['instanceId'] ?? id) === id)
        .map(answers.vnicAttachmentResponse),
    ),
  ],
  'GET /vnics/{}': [
    'GetVnic',
    (call) => {
      const found = living(call).find(({ id }) => answers.vnicId(id) === call.id)
      return one(found && answers.vnicResponse(found), 'vnic')
    },
  ],
  'GET /bootVolumeAttachments': [
    'ListBootVolumeAttachments',
    inCompartment((call) =>
      living(call)
        .filter(
          (each) => call.account.isPlaced(each) && each.details.availabilityDomain === call.query['availabilityDomain'],
        )
        .map(answers.bootVolumeAttachmentResponse),
    ),
  ],
  'GET /bootVolumes/{}': [
    'GetBootVolume',
    (call) => {
      const found = living(call).find(({ id }) => answers.bootVolumeId(id) === call.id)
      return one(found && answers.bootVolumeResponse(found), 'boot volume')
    },
  ],
  'GET /images': [
    'ListImages',
    inCompartment(({ account, query }) =>
      account.images
        .filter(byName(query))
        .filter(
          ({ os, version }) =>
            (query['operatingSystem'] ?? os) === os && (query['operatingSystemVersion'] ?? version) === version,
        )
        .map(answers.imageResponse),
    ),
  ],
  'GET /images/{}': [
    'GetImage',
    ({ account, id }) => {
      const found = account.images.find((each) => each.id === id)
      return one(found && answers.imageResponse(found), 'image')
    },
  ],
  'GET /images/{}/shapes': [
    'ListImageShapeCompatibilityEntries',
    ({ account, id }) => {
      const found = account.images.find((each) => each.id === id)
      if (found === undefined) return notFound('image')
      return {
        items: account.shapes
          .filter(({ shape }) => found.shapes.test(shape))
          .map(({ shape }) => ({ imageId: id, shape })),
      }
    },
  ],
  'GET /subnets': [
    'ListSubnets',
    inCompartment(({ account, query }) => account.subnets.filter(byName(query)).map(answers.subnetResponse)),
  ],
  'GET /subnets/{}': [
    'GetSubnet',
    ({ account, id }) => {
      const found = account.subnets.find((each) => each.id === id)
      return one(found && answers.subnetResponse(found), 'subnet')
    },
  ],
  'GET /ipInventory/subnets/{}/cidrs': [
    'GetSubnetCidrUtilization',
    ({ account, id }) => {
      const found = account.subnets.find((each) => each.id === id)
      return one(found && answers.utilizationResponse(account, found), 'subnet')
    },
  ],
  'GET /networkSecurityGroups': [
    'ListNetworkSecurityGroups',
    inCompartment(({ account, query }) =>
      account.securityGroups.filter(byName(query)).map(answers.securityGroupResponse),
    ),
  ],
  'GET /networkSecurityGroups/{}': [
    'GetNetworkSecurityGroup',
    ({ account, id }) => {
      const found = account.securityGroups.find((each) => each.id === id)
      return one(found && answers.securityGroupResponse(found), 'network security group')
    },
  ],
  'GET /computeCapacityReservations': [
    'ListComputeCapacityReservations',
    inCompartment(({ account, query }) =>
      account.reservations.filter(byName(query)).map((each) => answers.reservationResponse(account, each, true)),
    ),
  ],
  'GET /computeCapacityReservations/{}': [
    'GetComputeCapacityReservation',
    ({ account, id }) => {
      const found = account.reservations.find((each) => each.id === id)
      return one(found && answers.reservationResponse(account, found, false), 'capacity reservation')
    },
  ],
  'GET /computeClusters': [
    'ListComputeClusters',
    inCompartment(
      ({ account, query }) => account.computeClusters.filter(byName(query)).map(answers.computeClusterResponse),
      true,
    ),
  ],
  'GET /computeClusters/{}': [
    'GetComputeCluster',
    ({ account, id }) => {
      const found = account.computeClusters.find((each) => each.id === id)
      return one(found && answers.computeClusterResponse(found), 'compute cluster')
    },
  ],
  'GET /workRequests/{}': [
    'GetWorkRequest',
    (call) => {
      const found = workRequestInstance(call)
      return one(found && answers.workRequestResponse(call.account, found), 'work request')
    },
  ],
  'GET /workRequests/{}/errors': [
    'ListWorkRequestErrors',
    (call) => {
      const found = workRequestInstance(call)
      return found === undefined ? notFound('work request') : { items: answers.workRequestErrors(found) }
    },
  ],
}
