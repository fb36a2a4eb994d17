import { better, different, type Quirks, untested } from '../../../../tests/integration/facts/quirks/quirk.ts'

/** Quirks of Azure/karpenter-provider-azure at 352646f. */
export const quirks: Quirks = {
  Azure: [
    better(
      'with trusted launch arm64 sizes are offered, for which there is no image: the launch fails',
      'they are left out',
      'a class with trusted launch gets no arm64 size, because there is no image for it',
    ),
    better(
      'a size of unknown price costs 999 dollars an hour, in sums and metrics too',
      'it has no price, as anywhere in Kerf, and comes last all the same',
      'an untested size has no price',
    ),
    better(
      'a refused size hides larger ones of its family, and a second refusal gives its time to the first: 23 hours become 10 minutes',
      'every refusal ends at its own time',
      'every entry expires at its own time, even if others follow',
    ),
    better(
      'a maintenance window that cannot be read ends the look at the class with an error, which only the log has',
      'it counts as closed, and condition and event say what is wrong with it',
      'an unreadable window is reported in one event',
    ),
    better(
      'names of subnets and virtual networks are compared letter by letter, though Azure has no case in them',
      'letters of either case are the same',
      'the cluster’s subnet in another case is the cluster’s',
    ),
    better(
      'disks that a VM has left behind are collected by nobody',
      'they are collected with interfaces and VMs',
      'runs with faults at every request leave nothing behind',
    ),
    better(
      'a machine of an AKS pool without a VM is an error wherever machines are read',
      'it is listed under a name that stands for its VM, and collected',
      'a failed machine without a VM is garbage collected',
    ),
    better(
      'an answer of Azure without a size takes the size away, and its nodes drift',
      'it is kept for a day, and a zone as well',
      'a size that is missing in answers is kept for a day, and longer if answers are empty',
    ),
    better(
      'an ephemeral OS disk goes into the cache disk or nowhere, even if the size allows the temp disk only',
      'it goes to the first place that the size allows and that has room for it, and the label says the largest',
      'with %s %o an OS disk of %i GB is placed on %s',
    ),
    better(
      'a used-up quota of cores of the region is asked for in every pass',
      'sizes with as many cores or more are left out on demand for ten minutes',
      'the regional quota makes as many cores of every family unavailable on-demand, but neither fewer cores nor spot',
    ),
    better(
      'what Azure Policy denies is asked for again and again',
      'the size is left out for ten minutes, for that node class',
      'a policy’s denial affects only the class that it was denied to, the size, and the capacity type',
    ),
    better(
      'adding KUBELET_IDENTITY_CLIENT_ID to the settings drifts every node that was made without it',
      'a value that was never recorded is no difference',
      'a node that was created without an identity setting does not drift when the setting is added',
    ),
    different(
      'a size that the answer about prices leaves out costs 999 dollars an hour from then on',
      'it keeps the price that came with Kerf, or the one that Azure told last',
      'prices from the cloud override those of an earlier run, which override a file, which overrides estimates',
      'a price that is missing in a later response is kept',
    ),
    different(
      'one offering is tried for a NodeClaim: after a refusal the next one is tried with another NodeClaim',
      'what Azure refuses at once is remembered, and the next best is tried in the same launch',
      'C18 a lack of capacity everywhere is insufficient capacity, for as long as documented',
    ),
    different(
      'a VM whose extension for billing fails is taken for failed',
      'the failure is logged, and the node runs',
      untested('whether Azure ever refuses it cannot be seen without an account'),
    ),
  ],
}
