import { better, different, kept, type Quirks, untested } from './quirk.ts'

export const deviceQuirks: Quirks = {
  'Devices (dynamic resource allocation)': [
    better(
      'a type with an overlay loses its devices',
      'it keeps them',
      'keeps the devices of an instance type and the overrides of its offerings',
    ),
    better(
      'a node waits for every driver that some type might have brought, so it may wait for one that it does not have',
      'it waits for the drivers that whatever it became has',
      'Pods with devices: the NodeClaim waits only for drivers that all its instance types have',
    ),
    better(
      'a claim that was given devices of a node in this decision asks nothing of the next pod that shares it',
      'who shares it goes to that node',
      'Pods with devices: pods that share a claim are placed where its devices are, including on an existing node',
    ),
    better(
      'while a node is not initialised its promised devices count as free, whatever was allocated of the published ones',
      'what is allocated of a device of the same name is taken',
      'Pods with devices: until a node is initialized, the devices that its instance type promises count, and no device is counted twice',
    ),
    better(
      'types that have no room for the pod may settle which zone its devices are in',
      'only types that the pod fits are asked, and only for places where they are sold',
      'Finding devices: a type that needs a different zone from earlier types is excluded',
    ),
    better(
      'a search ends after five seconds',
      'it ends after a number of tries, so equal input gives an equal plan',
      untested('The bound is far above what a sensible claim needs; the tests never meet it.'),
    ),
    kept(
      'a pod whose claim is still to be made from a template is planned as if it asked for nothing',
      'where the template is known (kerf plan) it asks for what that says; elsewhere the claim is there a moment later',
      'Pods with devices: the claim created from a template is found by the name in the pod’s status',
      'Pods with devices: if the template is known, its requests count before the claim is created',
    ),
    better(
      'one request may get several parts of one shared device, which kube-scheduler then does not give it',
      'one part per request and device, so a pod is planned only where it will be bound',
      'Finding devices: a request gets at most one part of a shared device, as in kube-scheduler; several requests, claims and pods can share it',
      'kube-scheduler binds as many pods of each case as the engine places',
    ),
    different(
      'a controller of its own keeps what claims hold, and is filled before the first decision',
      'claims are read with everything else when a decision is taken; informers have them all by then',
      'Devices that are held: none, one, several, together, and the same device once',
    ),
    different(
      'administrative access and taints of devices are not looked at',
      'they count as kube-scheduler counts them',
      'Finding devices: administrative access needs no free device, and uses none',
      'Finding devices: devices with taints serve only requests that tolerate them',
    ),
  ],
}
