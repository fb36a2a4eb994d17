import { better, type Quirks, untested } from './quirk.ts'

const NO_LAG = 'The informers of our tests follow at once, so none has a mirror that is behind'

export const lifecycle: Quirks = {
  'The life of a node': [
    better(
      'a claim whose instance is gone before its Node registered waits, with its pods, for the registration time-out of 15 min',
      'the provider is asked for that very instance from a minute after the launch on, and the claim goes when it is gone',
      'are deleted one to two minutes after launch if the instance disappears before its Node registers',
    ),
    better(
      'its own clock is compared with timestamps of the API server: one that is 16 min ahead makes it launch and end instances without end, and no line says so',
      'durations are measured in the API server’s time, which its answers tell; a difference is a warning and a metric, and above an hour nothing is launched',
      'launches each node once, keeps it, and reports the difference: %d ms',
      'launches nothing while its clock is wrong by hours, reports that on the pool, and continues when the clock is right',
    ),
    better(
      'sleeps a second after each write to a claim, so that its cache may catch up',
      'every write carries the version it was worked out from; who read something stale is refused and comes back',
      'launches exactly one node per claim if every third response is lost',
      'and the termination mode and conditions are correct after every kind of API error',
    ),
    better(
      'creates a NodeClaim and gives it its finalizer by a write of its own, before it launches the instance',
      'its own claims are created with the finalizer; claims of others get it before the launch',
      'a claim is created with its finalizer, and needs two writes until its instance is launched',
      'the finalizer is written before the provider is called',
    ),
    better(
      'a failed launch is tried again at once, because the failure that was written into the claim wakes it',
      'a back-off of its own, from 1 s to 60 s, whatever wakes the claim',
      untested('Tests show that a failed launch is tried again and given up in time, none counts the calls between.'),
    ),
    better(
      'an instance that has no provider ID yet is a failed launch: after five minutes its claim goes, nothing is planned in the cluster until then, and its end takes nothing along',
      'a provider may say that an instance is being made, and what it will be: the claim waits as long as the provider says, pods are planned for it, and its deletion gives back what was begun',
      'stays pending for twenty minutes without a failure, and then gets a node',
      'pods are planned for the coming instance and for other nodes, because the cluster state counts as complete',
      'cancels a launch that an earlier process started and did not write to the claim',
    ),
    better(
      'a claim that outlasted its launch time-out is measured against the registration time-out in the same pass',
      'the pass ends with the first deletion, which is counted once',
      'a claim that does not launch is deleted five minutes after its creation, whatever the error',
    ),
    better(
      'a registration pass that read an old Node puts startup taints on again that were taken off already',
      'never once the Node is registered',
      'removed startup taints are not added again',
    ),
    better(
      'a Node that is there when its instance is launched opens in the same pass, before the NodeClaim is written',
      'it opens once the stored NodeClaim names the instance, so a crash in between leaves no open Node that its claim does not know',
      'without a retry when the node is initialized; the Node accepts pods only after the provider ID is stored',
    ),
    better(
      'a restart counts every pod as an event of its node: each claim is written anew, several times in a large cluster, loses Consolidatable and waits for consolidateAfter again',
      'only a pod counts that came or finished unseen, by its own conditions',
      'is not written after a restart for pods that were bound before',
      'is written after a restart for a pod that was bound in the meantime, and for a pod without a time',
    ),
    better(
      '`karpenter_nodes_created_total` counts a node again when the pass was interrupted after it wrote the Node',
      'once: who finds the Node registered does not count it',
      untested('The tests that interrupt passes compare nodes and claims, not this counter.'),
    ),
    better(
      'the garbage collection lists claims after the cloud, so a claim that registers between the two looks lost',
      'claims are noted before the cloud is asked',
      untested('No test lets a claim register while the cloud is being listed.'),
    ),
    better(
      'a registered claim whose instance is missing from the list of the cloud is deleted unless its Node is Ready',
      'the provider is asked for the very instance, and only one that is gone or going takes its claim along',
      'stay while the cloud knows their instance, even if its list does not contain the instance',
    ),
  ],
  'The end of a node': [
    better(
      'an instance that was launched for a claim deleted meanwhile runs on until garbage collection finds it',
      'it is terminated before the NodeClaim is removed',
      'if the claim is deleted during its launch, the instance is terminated before the claim is removed',
    ),
    better(
      'a claim that was deleted while it registered loses its instance at once, under the pods that its opened Node took',
      'a Node that was opened is drained, whatever the claim says of it',
      'after pods could run on its Node and before the claim shows that: its pods are drained first',
    ),
    better(
      'a node counts as drained as soon as the cache shows no pods of it',
      'the API server is asked once for its pods before that is written',
      untested(`${NO_LAG} a drain.`),
    ),
    better(
      'the instance ends when the cache shows no Node of the claim',
      'the Node that the claim names is read from the API server first',
      untested(`${NO_LAG} a Node.`),
    ),
    better(
      'the finalizer of a deleted Node whose NodeClaim is not in the cache is removed, and its instance keeps running',
      'the claim is looked up at the API server by the Node’s owner reference',
      untested(`${NO_LAG} a claim; what a Node without any claim gets is tested.`),
    ),
    better(
      'a pod that was evicted is evicted and counted again until the cache shows its deletion',
      'once; again after five seconds if the deletion is still not visible',
      'is evicted once, even if the drain adds it several times before the informer shows the deletion',
      'deletes a pod once, even if the drain adds it several times before the informer shows the deletion',
    ),
    better(
      'a termination timestamp that cannot be read keeps the node for good, and only the log says so',
      'it keeps the node as there; FailedDraining on the Node says what to correct',
      'an invalid deadline stops the termination with an error until it is corrected',
    ),
    better(
      'the events Evicted and Disrupted are deduplicated by the name of the pod, so a pod of the same name in another namespace gets none',
      'by its uid',
      'gets its own Events, even if a pod in another namespace has the same name',
    ),
  ],
  'The kwok provider': [
    better(
      'a Node has the capacity that its claim asked for',
      'that of its type, less the overhead for what can be allocated',
      'C04 create returns the capacity and allocatable of the chosen type',
    ),
    better(
      'a listed type without a fitting offering counts as free, and is chosen',
      'it is passed over: what is compared are offerings, each with its price',
      'C17 a lack of capacity makes exactly that offering unavailable',
      'C18 a lack of capacity everywhere is insufficient capacity, for as long as documented',
    ),
    better(
      'a claim must name instance types, and an unknown name is an error',
      'the requirement is optional; unknown names are ignored, and no known one among them is insufficient capacity',
      'C12 create picks the cheapest compatible offering',
      'C16 no compatible type means insufficient capacity, without a call to the cloud',
    ),
    better(
      'the zone and the Node’s name are random, so a repeated launch makes another Node',
      'both follow from the claim’s uid',
      'C06 create called twice for one claim, with an empty memory in between, launches one instance',
      'C07 create called in parallel for one claim launches one instance',
    ),
    better(
      'launches from a class whose readiness is not known yet',
      'the claim waits with `NodeClassReadinessUnknown`',
      'C15 a node class that is not ready, or whose readiness is unknown, launches nothing',
    ),
    better(
      'offers types to a pool without looking at its class',
      'a missing class, or one of another provider, is an error and an event',
      'T10 a missing class, or one of another kind, is an error with an event',
    ),
    better(
      'an instance whose Node is being deleted is said to be gone',
      'it is gone once it has ended; until then it says that it is ending',
      'G02 get of a terminated instance is not-found; get of a terminating instance says so',
    ),
    better(
      'makes the Node after the registration delay although the claim has gone, and leaks it',
      'a Node comes only while its claim wants it',
      'before its node appears: no node is left behind',
    ),
    better(
      'launches twice when the process is killed between the launch and the write that records it',
      'once, wherever it is killed',
      'during launches leaves one node per claim (%s the call takes effect)',
    ),
  ],
}
