import { better, different, kept, type Quirks, untested } from '../../../../tests/integration/facts/quirks/quirk.ts'

export const quirks: Quirks = {
  AWS: [
    kept(
      'an id next to tags in a selector term is refused only when every term combines them',
      'as there, since a stricter rule would refuse stored objects; the id counts, and the tags do not',
      untested('Shown by the tables of admission cases, whose titles are made as they run.'),
    ),
    kept(
      '`ipPrefixCount` is not part of the fingerprint: a change drifts nothing',
      'as there',
      'H02 a change of a hashed field causes drift, a change of another field does not',
    ),
    kept(
      'of partitions the first is taken as texts are ordered: "10" before "2"',
      'as there',
      untested('The order decides which partition is filled first, and nothing else.'),
    ),
    kept(
      'a node whose reservation ended keeps the label that says whether the reservation was interruptible',
      'as there',
      'reservations are used first, and become on-demand when they end; capacity blocks are drained before their end',
    ),
    kept(
      'instances without a NodeClaim are terminated after 30 seconds, although a test of upstream says a minute',
      '30 seconds',
      'B01 a leaked instance is terminated, and its Node deleted',
      'B02 a young instance, and an instance with a claim, is kept',
    ),
    kept(
      'whether launches are permitted is tried with a launch template that is made for real, and deleted a minute later',
      'the same: only this response of EC2 shows a missing permission',
      'B05 orphaned resources are collected',
    ),
    better(
      'a role given with a path never equals the name that IAM knows, so a new instance profile is made time and again',
      'roles are compared by name, as they are attached',
      'another role gets another profile; the old profile is kept while it may be in use, and then deleted',
    ),
    better(
      'CreateFleet goes out without a token, and a launch whose answer is lost is done again',
      'the token follows from the content and the claims; a call whose outcome is unknown is repeated as it was, and what an earlier run launched is found by a tag',
      'if the outcome of a fleet is unknown (%s, launched: %s), the same fleet is requested again, and each claim gets one instance',
      'with connections cut while CreateFleet is under way, get one node each (seed %i)',
      'after a restart each claim finds its own instance, in a fleet of thirty',
      'C06 create called twice for one claim, with an empty memory in between, launches one instance',
    ),
    better(
      'a launch that finds no spot capacity gives its claim up, and the pods are planned anew',
      'what is left of the claim is tried at once: reserved, spot, then on demand',
      'C11 create prefers spot while it has capacity, and otherwise uses on-demand',
    ),
    better(
      'credentials or permissions that fail show in the log, and the condition stays as it was',
      'a condition that is not True yet turns Unknown and says which action on which resource is refused, or that the credentials are, and what to do; a True one stays so and says it, with an event',
      '$wrong: a condition with cause and remedy, and an event',
      'if every call is refused for 25 minutes ($code), a ready class stays ready, and its message says so',
    ),
    kept(
      'of types without a price the offerings are listed as unavailable; a NodeOverlay with a price, on instance types alone, opens them',
      'as there, without a cache of five minutes',
      'a type without a price stays listed in every zone, unavailable, because its nodes still need their type',
      'a NodeOverlay with a price makes the type available, for plans and launches',
    ),
    better(
      'a node class that has failed for long is tried again after up to 1000 s',
      'after a minute at most, as every other key of every controller',
      'one minute after the credentials become valid again, the class is ready, however long they were refused',
      'doubles the back-off of a key from 5 ms to a minute, and resets it when the key is forgotten',
    ),
    better(
      'after a start, placement groups and the remaining capacity of reservations are unknown until the node class is reconciled: nodes of a group drift, and reserved capacity is bought a second time',
      'they are requested first; while EC2 does not respond, drift and launches wait',
      'after a start, before the class has been reconciled, nodes in a placement group have not drifted',
      'after a start, nothing is planned or launched outside the placement group',
      'after a start, the free capacity of reservations is read, because unknown does not mean empty',
    ),
    better(
      'a parameter of an alias that cannot be read is skipped, so nodes of that kind of image drift',
      'throttling means nothing; without the permission the image of that kind stays as it was',
      'if one parameter is throttled, no images are returned, because its image is not gone',
      'if a parameter must not be read, its current image is kept, while readable parameters are updated',
    ),
    kept(
      'a pinned alias without images for a new version of Kubernetes keeps those that were found before',
      'as there; AMIsReady says it too, and there is an event',
      'a pinned version without images for a new Kubernetes version keeps its images, and reports that',
    ),
    better(
      'a Service kube-dns that cannot be read at the start is never read again: nodes get no DNS, and IPv4 on IPv6 clusters',
      'a launch waits for the API server; a Service that is not there is looked for again every five minutes',
      'after a short failure of the API server, the DNS address is looked up again',
      'a Service that does not exist or may not be read (%s) is looked up again later',
    ),
    better(
      'the process ends when EC2 or the endpoint of the cluster cannot be reached at its start',
      'it logs what is wrong, shows it in /readyz, and goes on trying',
      untested('The readiness check asks EC2 itself; the parts behind it are tested one by one.'),
    ),
    better(
      'a class whose subnets have no free address looks as good as any; launches from it fail',
      'SubnetsReady stays True and says so, with what to do, and there is an event',
      '$wrong: a condition and an event of the class report cause and remedy',
    ),
    kept(
      'user data of AL2023 that is no MIME is a NodeConfig when its first document is a mapping, else a script; a NodeConfig that is no YAML is run as a script',
      'as there, with a warning in the log where a script looks like a NodeConfig',
      '$family accepts the settings of $custom',
      'a NodeConfig that is not valid YAML is a script, with a remark',
    ),
    kept(
      '1.14 leaves `podsPerCore` on Bottlerocket unused, and all addresses of `clusterDNS` but the first on AL2, Bottlerocket and Windows; later versions refuse them',
      'as 1.14, with a warning in the log, so that classes in use stay Ready',
      '%s with %j ignores %j',
    ),
    better(
      'blank user data becomes an empty part, a part of MIME without type gets an empty Content-Type, and a script that begins with `{ …; }` counts as a NodeConfig: none of the three lets a node join',
      'blank user data counts as none, the type is text/plain as MIME has it, and the script is a script',
      'blank custom data counts as absent',
    ),
    better(
      'bootstrap commands and credential providers of Bottlerocket get empty values for what they leave out',
      'what is left out stays left out, and Bottlerocket has its own defaults',
      '$family accepts the settings of $custom',
    ),
    better(
      'with zonal shift on, shifts that AWS makes by itself (autoshifts) are not seen, and a shift that was cancelled counts until its time while another one is there',
      'autoshifts count, and what was cancelled ends with the next reading',
      'a cancelled shift ends while others continue, a shift that is not applied has no effect, one without an end lasts',
    ),
    better(
      'the process ends when zonal shift is on and the cluster is not registered for it',
      'the log says how to turn it on, and launches go on',
      'for a cluster without zonal shift, the error says how to enable it, and launches use every zone',
    ),
    better(
      'in partitions that are neither standard nor of China the controller may not pass the node role on, because the policy names EC2 as it is called in these two',
      'the policy names EC2 as it is called in the partition too',
      '%s is in the same partition as in the AWS SDK',
    ),
    kept(
      'on IPv6 clusters every interface with addresses has an IPv6 address that stays, not only the first',
      'as there',
      'on IPv6 every interface with addresses has a primary address, as in upstream',
    ),
    kept(
      'a node leaves a capacity block forty minutes before its end, also when no node class selects the block any more',
      'as there',
      'a node is drained from its block before the end, even if no class selects the block any more',
    ),
    kept(
      'failed launches are counted by the reasons of conditions and events, as `VCPULimitExceeded`, and running out of capacity as `LaunchFailed`',
      'as there; the log has the code of EC2',
      'a launch that fails with %s is counted as %s',
    ),
    better(
      'a class of a family that this release does not know cannot be reconciled',
      'AMIsReady is False with the reason UnknownAMIFamily and the families there are',
      '$wrong: a condition and an event of the class report cause and remedy',
    ),
    better(
      'without the Pricing API, prices are those of the release',
      'the last prices from AWS are kept in a ConfigMap; after those a file counts, and then the prices of the release; metrics show which',
      'prices from the cloud override those of an earlier run, which override a file, which overrides estimates',
      'prices are stored in a ConfigMap, by key, and survive a restart',
    ),
    better(
      'an instance older than 30 seconds whose NodeClaim has no status yet is terminated',
      'it belongs to its NodeClaim, whose launch adopts it; it is terminated when the NodeClaim is gone or names another instance',
      'with status writes delayed by a minute, 200 pods that arrive together get nodes, and no instance is launched or terminated needlessly',
      'B11 an instance whose claim has no status yet is kept until the claim is gone',
    ),
    better(
      'after a refused call for many instances each is called for by itself',
      'those that the refusal names are taken out, else the call is halved; throttling and wrong credentials are not asked about again',
      'ids in the message of the refusal are removed, and the remaining ids are sent in one call',
      'if the message of a refusal contains no id, the call is halved until each refused id is alone',
    ),
    better(
      'an instance that EC2 refuses to end shows in the log only',
      'its claim and Node say why and what to do, and the order is repeated every minute',
      'one protected instance of twenty: the others end, its claim says what to do, and it ends after that is done',
    ),
    better(
      'an instance whose tags were taken away is in no list, and its claim is deleted when its Node is not ready',
      'the tags are put back, or an event says how; the claim stays while the instance runs',
      'an instance that loses its tags gets them back; if tagging is forbidden, its claim stays while the instance runs',
    ),
    better(
      'an instance that EC2 does not know is gone, be it a second old',
      'in its first five minutes it is not known yet',
      'an instance that EC2 does not list yet is not gone, neither for the process that launched it nor after a restart',
    ),
    kept(
      'the proxy of the environment and `AWS_CA_BUNDLE` count as Go and its SDK read them: NO_PROXY by httpproxy’s rules, the bundle in place of the system’s authorities',
      'the same for AWS, and the proxy for the API server too, so that an image that is swapped needs no other variables',
      'requests use the proxy, with its user and password, and reach servers that the bundle trusts',
      'NO_PROXY is respected, and the bundle also works without a proxy',
      'without a proxy, only the bundle is trusted',
      'with NO_PROXY=%s, %s is reached directly',
    ),
    better(
      'the collection of instance profiles stops at the first that cannot be deleted',
      'the others are deleted',
      'a profile that cannot be deleted does not stop the deletion of the others',
    ),
    better(
      'a used-up quota of the account is taken for a shortage of the types and zones that one fleet asked for, so pass after pass asks for others of the same quota',
      'all offerings of the quota are left out for three minutes',
      '%s makes only the types of the same quota unavailable, for a while',
    ),
    better(
      'a policy that denies the one type that is tried makes the node class not ready, and a launch asks for denied types again and again',
      'up to five types are tried, and what is denied is left out for ten minutes',
      '%s that denies one type leaves the class ready for the others, and reports the type',
      'a type that a policy denies is not used in the next launch, and is available again later or for a changed class',
    ),
    better(
      'a profile that spec.instanceProfile named is kept after a change to spec.role if it has the role, and a status that is not kept makes a profile each minute',
      'only a profile of Kerf’s is kept, and it is found again below the path of the class',
      'a profile of a user or of another class is not used for a role, but one that an older release created is',
      'if the status was not saved, no second profile is created, even after a restart or if Kerf may not list profiles',
    ),
    different(
      'any instance that a provider ID names is terminated',
      'an instance that says nothing of this cluster, or that it is another’s, is never touched, and its claim says so',
      'D06 delete with a foreign provider ID changes nothing',
      'an instance without a mark of this cluster, or with another cluster’s, neither counts as gone nor is terminated',
    ),
    different(
      'a NodePool without its node class gets an empty list of types',
      'it gets an error, as the contract of providers has it, and an event',
      'T10 a missing class, or one of another kind, is an error with an event',
    ),
    different(
      'the names of launch templates follow from a hash of Go structures',
      'they have the same form and follow from what the template says; templates of either are cleaned up',
      'C23 a launch that fails half-way leaves nothing behind',
    ),
  ],
}
