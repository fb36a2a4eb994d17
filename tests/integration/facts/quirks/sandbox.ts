import { different, type Quirks, untested } from './quirk.ts'

/** Differences between the sandbox and a real control plane. In this list, `upstream` means Kubernetes. */
export const sandbox: Quirks = {
  'The sandbox, against a real control plane': [
    different(
      'kube-scheduler breaks ties at random, and preempts pods of lower priority',
      'ties are broken by the order of nodes, so a seed repeats its run; no pod is preempted',
      'the same seed gives the same run, and another seed gives a different one',
    ),
    different(
      'kubelets renew their Leases every ten seconds',
      'every five minutes, and the Lease says how long it holds for, so thousands of nodes cost little',
      'starting pods takes three writes per pod, and an idle cluster renews one Lease per node',
    ),
    different(
      'roles decide what a caller may do',
      'whoever shows the token is an administrator, everybody else is refused',
      'accepts the token in the header or the address, and refuses other clients',
    ),
    different(
      'etcd is compacted every five minutes, up to where it was five minutes before',
      'so is the history of the sandbox; it is bounded by the number of changes as well, and an older version has expired',
      'resumes from its resourceVersion until the history of that revision is dropped',
    ),
    different(
      'exec, attach and port-forward reach into containers',
      'they answer 501 and say that there are no containers',
      untested('The answer is a constant; a test would repeat it.'),
    ),
    different(
      'a write whose manager is not named is recorded under a name made from the client’s',
      'over HTTP as well; a call inside the process without a field manager records no managedFields',
      untested('What is recorded for named managers is compared with a real API server; the case without one is not.'),
    ),
  ],
}
