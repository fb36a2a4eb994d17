import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const
const duration = (description: string) => Type.String({ pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$', description })

const at = { at: duration('Time since the start: `0s`, `90m`, `1h30m`.') }

const workload = {
  kind: Type.Optional(
    Type.Union([Type.Literal('Deployment'), Type.Literal('StatefulSet')], { description: 'Default Deployment.' }),
  ),
  namespace: Type.Optional(Type.String({ description: 'Default `default`.' })),
  name: Type.String(),
}

const place = {
  instanceType: Type.Optional(Type.String()),
  zone: Type.Optional(Type.String()),
}

const offerings = {
  ...place,
  capacityType: Type.Optional(Type.Union([Type.Literal('spot'), Type.Literal('on-demand'), Type.Literal('reserved')])),
}

const replicas = Type.Integer({ minimum: 0 })

const object = Type.Object(
  {
    apiVersion: Type.String(),
    kind: Type.String(),
    metadata: Type.Object({ name: Type.String(), namespace: Type.Optional(Type.String()) }),
  },
  { description: 'A Kubernetes object, as in a manifest.' },
)

/** The schemas of events, keyed by the field that identifies the kind of event. */
export const eventSchemas = {
  scale: Type.Object({ ...at, scale: Type.Object({ ...workload, replicas }, closed) }, closed),
  interrupt: Type.Object(
    {
      ...at,
      interrupt: Type.Object(
        {
          ...place,
          share: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 1,
              description: 'Share of the matching spot instances to interrupt. Default 1.',
            }),
          ),
          count: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of instances to interrupt.' })),
        },
        closed,
      ),
    },
    closed,
  ),
  outage: Type.Object(
    { ...at, outage: Type.Object({ ...offerings, for: duration('Duration of the outage.') }, closed) },
    closed,
  ),
  price: Type.Object(
    {
      ...at,
      price: Type.Object(
        { ...offerings, factor: Type.Number({ minimum: 0, description: 'Factor for the current price.' }) },
        closed,
      ),
    },
    closed,
  ),
  apply: Type.Object({ ...at, apply: object }, closed),
  delete: Type.Object(
    {
      ...at,
      delete: Type.Object(
        {
          apiVersion: Type.String(),
          kind: Type.String(),
          namespace: Type.Optional(Type.String()),
          name: Type.String(),
        },
        closed,
      ),
    },
    closed,
  ),
}

const event = Type.Union([
  eventSchemas.scale,
  eventSchemas.interrupt,
  eventSchemas.outage,
  eventSchemas.price,
  eventSchemas.apply,
  eventSchemas.delete,
])

/** Where and when `kerf record` recorded the trace. */
const recording = Type.Object(
  {
    from: Type.String({
      description: 'Start of the recording; the simulation starts at the same time of day and week.',
    }),
    span: duration('Duration of the recording; the default of --for.'),
    end: Type.Union([Type.Literal('asked'), Type.Literal('full'), Type.Literal('under way')], {
      description: '`full`: the maximum size was reached. `under way`: the recorder was killed.',
    }),
    instanceTypes: Type.Array(Type.String(), { description: 'Of the nodes that were seen.' }),
    zones: Type.Array(Type.String(), { description: 'Of the nodes that were seen.' }),
    leftOut: Type.Array(Type.String(), { description: 'Kinds that could not be read, and why.' }),
    samples: Type.Array(Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]), {
      description: 'Minutes since the start, nodes, running pods, pending pods.',
    }),
  },
  closed,
)

/** Replicas that vary with the time of day, as a sine wave between `low` and `high`. */
const diurnal = Type.Object(
  {
    ...workload,
    low: replicas,
    high: replicas,
    peak: Type.Optional(duration('Time of day with the most replicas. Default `14h`.')),
    every: Type.Optional(duration('How often the number changes, at least `1s`. Default `10m`.')),
    noise: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Random share around the curve. Default 0.' }),
    ),
  },
  closed,
)

/** The events of a simulated cluster: the file for `kerf simulate --trace`. */
export const traceSchema = Type.Object(
  {
    recording: Type.Optional(recording),
    objects: Type.Optional(
      Type.Array(object, { description: 'Objects at the start. Files of -f replace and complete them.' }),
    ),
    diurnal: Type.Optional(Type.Array(diurnal)),
    events: Type.Optional(Type.Array(event)),
  },
  { ...closed, title: 'Trace', description: 'Events in a simulated cluster.' },
)

export type Trace = Static<typeof traceSchema>
export type Diurnal = Static<typeof diurnal>
export type TraceEvent = Static<typeof event>
export type Recording = Static<typeof recording>
