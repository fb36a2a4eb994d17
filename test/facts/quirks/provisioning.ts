import { better, kept, type Quirks } from './quirk.ts'

export const provisioning: Quirks = {
  Provisioning: [
    better(
      'the API server draws the names of claims, so a create whose answer is lost is done again under another name',
      'names have the same form and are drawn by us: the second attempt finds the claim of the first',
      'a create that took effect and answered an error is not done twice',
      'when nobody can tell, the claim is counted on until the API denies it',
    ),
    better(
      'asks every second whether it may begin, and forgets a batch that closes while the state is not complete',
      'begins with the event that was waited for; the batch is kept',
      'waiting ends in the moment that the last claim has its instance',
      'a failed pass is ripe again at once',
    ),
    kept(
      'a claim that cannot launch holds up the passes after it until it is given up, up to five minutes',
      'whoever plans without knowing what it becomes may buy the same room twice',
      'does not begin while a claim of the last one has no instance',
    ),
    better(
      'a claim that is deleted before it was launched holds up the passes too',
      'it does not: nothing will come of it',
      'a claim that is being deleted before it was launched holds nobody up',
    ),
    better(
      'a managed Node that cannot be joined to its claim yet holds up the start',
      'it is left out until it can be joined',
      'a node that cannot be joined to its claim does not hold up the start',
      'a managed node is ignored until it can be joined to its claim',
    ),
    better(
      'one NodeClaim that is never launched keeps the cluster state incomplete: nothing is planned or disrupted for as long as it exists',
      'after 30 s it is named in the log and left out of the wait; it counts as capacity and against limits with what it requests, and its pods wait for it',
      'a claim that has had no instance for thirty seconds is named and left out',
      'one that is deleted meanwhile counts no more',
    ),
    better(
      'a pass that begins before a new pool is Ready does without it: pods are refused, or get nodes of pools with lower weight',
      'the pass waits until it is known whether the pool may launch, for at most `--batch-max-duration`',
      'a pass waits until it is known whether a new NodePool may launch, and the preferred one launches',
      'pods that only the new NodePool serves are not refused before',
      'a NodePool whose readiness does not become known holds pods up for ten seconds, and only once',
    ),
    better(
      'pods get no event when no NodePool may launch',
      'FailedScheduling names what is wrong with each NodePool',
      'without a pool that may launch, the pod is told what stands in the way of each',
    ),
    better(
      'a pool of a NodeClass kind that nobody here serves is passed over in silence',
      'one warning in the log names the kinds that are served; the pool is not written to',
      'leaves pools of other providers alone, with one line in the log',
    ),
    better(
      'kube-scheduler does not know for which node a pod was planned, and may bind it to another one',
      '`status.nominatedNodeName` names it before the node accepts pods, and nominated pods use capacity as if they were bound',
      'pods are nominated for the node they were planned for, as soon as it is there',
      'a node that has room is named at once, and its room is taken',
    ),
    better(
      'a node that waiting pods are planned for may be consolidated away twenty seconds after the last pass on them',
      'it counts as nominated while pods are planned for it; failed attempts of kube-scheduler remove nominations, so they are written again until the node accepts pods',
      'who loses the name before the node is open hears it again soon, and once more when the node opens',
      'a startup taint that stays for long costs no pod its node; patience begins when it goes',
      'a node is not taken from a pod for which room is kept on it, however long kube-scheduler needs',
    ),
    better(
      'pods whose claims are on their way are packed anew every ten seconds, and may need a node more',
      'a pod stays on the claim it was planned for while it fits there; known in memory, after a restart by the nomination',
      'pods stay on the claims that they were planned for',
      'only what finds no room any more gets a node',
      'after a restart pods are known by their nominations, and nothing is bought again',
    ),
    better(
      'who comes in the place of an evicted pod is planned anew, and is bound wherever kube-scheduler likes before that',
      'it takes over the place that was planned for the evicted pod, with a `Nominated` event, so that no node more is bought',
      'who comes in the place of a pod goes where that was to go, and no node more is bought (seed %i)',
      'who comes in the place of a pod of a node that goes, goes to the claim of that pod',
      'also where both happened while the claim was being made',
    ),
    better(
      'a pod waits for kube-scheduler’s answer to it, however long the queue: of thousands the last are planned onto what the first left',
      'pods that stand in the queue behind refused ones are planned with them, once the queue is two seconds long; what else may keep a pod out of it is left alone',
      'pods that stand in the queue behind refused ones are planned with them',
      'pods that kube-scheduler has just been given are left to it',
      'an untried pod costs no refused pod its place, and nothing is said of it',
      'a pod that was created before one with an answer is kept out of the queue by something else',
    ),
    better(
      'pods that kube-scheduler has not answered for do not keep the batching window open, so that a first pass may know half of those that come',
      'while pods come into a queue that is two seconds long, idle time does not pass; the maximum stays',
      'while pods still come into a long queue, the first pass waits for them',
      'where kube-scheduler answers at once, the pass waits for nobody',
    ),
    better(
      'each refusal restarts the idle time, so that the first pass comes when kube-scheduler has been through its queue',
      'in a queue that is two seconds long idle time counts from when the last pod came, as all of them are planned',
      'where the whole queue is planned, the first pass does not wait for more answers of kube-scheduler',
      'where a pod of the queue may preempt, the first pass waits for answers',
    ),
    better(
      'each event of a pod that waits for its node starts another pass, which plans it where it was planned',
      'until its node has registered such a pod is asked about every ten seconds, and at once when it loses its place',
      'a pod that waits for its node asks for no pass when kube-scheduler refuses it, but every ten seconds',
      'a pod without a place asks for a pass whenever something changes about it',
    ),
    better(
      'each node opens when it registers, and kube-scheduler then tries the pods of the nodes that are still closed',
      'nodes that were planned together and come at nearly the same time open in the same moment, after two seconds at most',
      'nodes that were planned together open in the same moment, when the last has come',
      'a node opens a moment later when another of the plan may come any moment',
      'where the nodes of a plan come at different times, none waits for another',
    ),
    better(
      'of a hard spread group no more than its maxSkew are nominated for one node at a time (upstream nominates nobody)',
      'kube-scheduler counts nominated pods for their own node only, and would bind none of a larger group; the next follows',
      'as many as the skew for a node, of what a waiting hard constraint selects in its namespace, while one waits',
      'members of a hard spread are nominated for a node one after the other',
    ),
    better(
      'one failed read of what a capacity buffer refers to takes away all its pieces until the next try',
      'the replicas stay as they were; only an object that is missing or invalid removes them, and the condition reports the failed read',
      'keeps its pieces while what it refers to cannot be read, and loses them when that is gone',
    ),
    better(
      'a capacity buffer notices only after 30 seconds that a workload was created, scaled or deleted',
      'the workloads that buffers refer to are watched; without the right to, the clock stays, and a warning says so once',
      'follows a workload that comes later, is scaled and goes: $kind',
      'looks by the clock where it may not watch workloads, and says so once',
    ),
    better(
      'nodes that a capacity buffer kept stay after its end until some pod makes the provisioner look',
      'its deletion starts a pass; and while a buffer waits for nodes it is planned as often as a pending pod',
      'their nodes are not empty, are refilled when pods take them, and go with the buffer',
    ),
    better(
      'a node for a pod that kube-scheduler refuses there is kept, and bought again, without end',
      'after three refusals in over a minute nothing is planned for the pod for ten minutes, then for twice as long each time',
      'a pod that kube-scheduler never binds gets one node for each pause, and its node goes',
    ),
    better(
      'a DaemonSet whose pod fits on no instance type closes every pool that it tolerates',
      'it takes nothing from nodes on which its pod can never run',
      'a daemon that fits on no machine of the pool takes nothing from it, however much it asks for',
    ),
    better(
      'the newest pod that a DaemonSet controls says what its pods ask for, also one that it has only adopted',
      'only pods that the DaemonSet made count',
      'the newest real pod is remembered, also when the newest goes',
    ),
  ],
}
