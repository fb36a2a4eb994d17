import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { ec2NodeClassKind } from '../../src/node-class/ec2-node-class.ts'
import { AwsAccount } from './aws-account.ts'
import { isAwsRead } from './aws-calls.ts'
import type { AwsFault } from './aws-fault.ts'
import { ec2NodeClass } from './ec2-node-class.ts'
import { warnedInstance } from './queue-messages.ts'

/** Creates a cloud with an AWS account, which uses the AWS provider's in-memory AWS. */
export const awsCloud = (host: CloudHost): Cloud<AwsFault> => {
  const { clock, random, admin, listeners, shortages, interrupted } = host
  const account = new AwsAccount({
    clock,
    random: random.fork('aws'),
    client: admin,
    claims: () => host.claims(),
    silence: (nodeName) => host.silence(nodeName),
    neverRegisters: () => host.neverRegisters(),
    called: (call) => {
      const injected = host.pointOf({ isWrite: !isAwsRead(call) })
      if (injected === undefined) return undefined
      const failure = injected === 'lost' ? 'cut' : 'crash'
      const when = injected === 'crash-before' ? 'before' : 'after'
      return { kind: 'aws-call', call, skip: 0, times: 1, when, failure }
    },
    launched: (providerID) => listeners.cloudCall({ verb: 'run', subject: providerID }),
    terminating: (providerID) => {
      listeners.cloudCall({ verb: 'terminate', subject: providerID })
      listeners.terminating(providerID)
    },
    interrupted: (providerID) => {
      interrupted.add(providerID)
      // Records a shortage that ends immediately, because Kerf treats the interrupted offering as unavailable for a while.
      shortages.begin()()
    },
    messageDeleted: (body) => {
      const id = warnedInstance(body)
      if (id !== undefined) listeners.noticeDiscarded(id)
    },
  })
  return {
    foreignInstances: account.foreignInstances,
    collectsLeaks: true,
    prepare: async (client) => {
      await client.create(ec2NodeClassKind, ec2NodeClass)
    },
    provider: (context, handle) => {
      const { ReservedCapacity: reservedCapacity, NodeOverlay: nodeOverlay } = host.settings.featureGates
      return account.provider(context, Object.assign(handle, { reservedCapacity, nodeOverlay }))
    },
    billed: () => account.living(),
    running: () => account.running(),
    priceOf: (claim) => account.priceOf(claim),
    stockOut: (selector) => account.stockOut(selector),
    kill: (pick) => account.kill(pick),
    interrupt: (pick) => account.interrupt(pick, 0, 1),
    recover: () => account.recover(),
    isGone: (nodeName) => account.kubelets.isGone(nodeName),
    inject: (fault) => account.inject(fault, () => shortages.begin()),
    unreadNotices: () => account.aws.sqs.messages.size,
  }
}
