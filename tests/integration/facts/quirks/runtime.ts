import { better, different, kept, type Quirks, untested } from './quirk.ts'

export const runtime: Quirks = {
  'Settings and endpoints': [
    better(
      'two controllers with two Leases, or one without leader election beside a holder, buy everything twice, and nothing says so',
      'Kerf warns while the Lease of another controller is renewed, counts it in a metric, and `kerf doctor` finds it',
      'warns of another controller’s renewed Lease within ten seconds, and then every ten minutes until the Lease expires',
      'without the permission to list Leases it warns once and keeps trying',
    ),
    better(
      'numbers, switches and durations of the environment that cannot be read become the default in silence',
      'they become the default, and a line in the log says so',
      'the invalid value %s=%s is ignored with a warning',
    ),
    different(
      '`ENABLE_PROFILING` serves profiles of the Go runtime',
      'profiles of V8 under the same paths and in the same format; block, mutex and threadcreate are empty, and there is no trace',
      'are read by go tool pprof',
    ),
    different(
      '`MEMORY_LIMIT` is the soft limit of Go’s collector',
      'V8 has none, so a collection is triggered when the heap passes it',
      'collects garbage if the heap exceeds the limit because of garbage, and not before',
    ),
    better(
      'metrics and probes listen on all addresses, also on a developer’s machine',
      'on loopback outside a cluster; `BIND_ADDRESS` decides otherwise',
      'listen on loopback unless in a cluster or configured otherwise',
    ),
    kept(
      'metrics name pods and their namespaces (`karpenter_pods_state` and the like)',
      'dashboards and alerts rest on those labels; `DISABLE_CLUSTER_STATE_OBSERVABILITY` leaves them out, `METRICS_AUTHORIZATION` keeps them for scrapers',
      'have series for their state and waiting times',
    ),
    better(
      'whoever reaches the metrics port may scrape',
      'the same by default; `METRICS_AUTHORIZATION` asks for a token and checks it, as controller-runtime’s filter does',
      'are served for a token that may read them',
    ),
    better(
      'nothing but metrics and profiles on the metrics port',
      '`/kerf/v1` reports decisions without the names of objects in namespaces, at a limited rate',
      'responses contain nothing from namespaces, and a reader with access reconstructs the full text',
      'are limited by a rate and say when to retry; scrapes do not count',
    ),
    better(
      'the chart has no NetworkPolicy',
      'one when `networkPolicy.enabled` is set',
      'creates a NetworkPolicy if enabled, which allows probes from everywhere and scrapes from the named peers',
    ),
    kept(
      '`controller_runtime_reconcile_timeouts_total` and `controller_runtime_conversion_webhook_panics_total` exist',
      'they stay zero, since there is nothing to count; dashboards find them',
      untested('Nothing counts them up, so a test could only repeat their names.'),
    ),
  ],
  'Talking to the API server': [
    kept(
      'the object is no part of what makes two events equal; repetitions are counted on one Event',
      'the same, since reasons and windows were chosen with it in mind',
      'compares the reasons of Events, but not the involved objects',
      'counts repetitions on one Event and drops nothing if there are no dedupe values',
    ),
    better(
      'a conflict (409) is logged as an error',
      'it counts among the errors, and is a line at debug: the next pass mends it',
      'does not log a conflict as an error',
    ),
    kept(
      'a process that is stopping renews its Lease until its work has ended',
      'the Lease is released when the work has ended, so two processes never work at the same time',
      'keeps the lease until the leader has finished its work',
    ),
    different(
      'GETs are sent again after a connection reset; a `Retry-After` is waited for, whatever its length and the call',
      'the same for GETs; a `Retry-After` of at most 10 s is waited for, and none by evictions, whose queue has its own back-off',
      'because of a lost connection are retried for reads, but not for writes',
      'because of an overloaded server are retried after its Retry-After, but not for evictions',
    ),
  ],
}
