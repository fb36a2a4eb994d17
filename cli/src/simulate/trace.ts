import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const
const duration = (description: string) => Type.String({ pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$', description })

const at = { at: duration('When it happens, from the start: `0s`, `90m`, `1h30m`.') }

const workload = {
  kind: Type.Optional(
    Type.Union([Type.Literal('Deployment'), Type.Literal('StatefulSet')], { description: 'Default Deployment.' }),
  ),
  namespace: Type.Optional(Type.String({ description: 'Default `default`.' })),
  name: Type.String(),
}

const offerings = {
  instanceType: Type.Optional(Type.String()),
  zone: Type.Optional(Type.String()),
  capacityType: Type.Optional(Type.Union([Type.Literal('spot'), Type.Literal('on-demand'), Type.Literal('reserved')])),
}

const replicas = Type.Integer({ minimum: 0 })

/** What may happen at one moment, by the field that says so. */
export const eventSchemas = {
  scale: Type.Object({ ...at, scale: Type.Object({ ...workload, replicas }, closed) }, closed),
  interrupt: Type.Object(
    {
      ...at,
      interrupt: Type.Object(
        {
          ...offerings,
          share: Type.Number({ minimum: 0, maximum: 1, description: 'Of the spot instances that match.' }),
        },
        closed,
      ),
    },
    closed,
  ),
  outage: Type.Object(
    { ...at, outage: Type.Object({ ...offerings, for: duration('How long nothing of it can be had.') }, closed) },
    closed,
  ),
  price: Type.Object(
    {
      ...at,
      price: Type.Object(
        { ...offerings, factor: Type.Number({ minimum: 0, description: 'Of the price of the moment.' }) },
        closed,
      ),
    },
    closed,
  ),
}

const event = Type.Union([eventSchemas.scale, eventSchemas.interrupt, eventSchemas.outage, eventSchemas.price])

/** Replicas that go up and down with the hours of the day, as a sine between `low` and `high`. */
const diurnal = Type.Object(
  {
    ...workload,
    low: replicas,
    high: replicas,
    peak: Type.Optional(duration('Hour of the day with most replicas. Default `14h`.')),
    every: Type.Optional(duration('How often the number changes. Default `10m`.')),
    noise: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Random share around the curve. Default 0.' }),
    ),
  },
  closed,
)

/** What happens to a simulated cluster: the file that `kerf simulate --trace` takes. */
export const traceSchema = Type.Object(
  {
    diurnal: Type.Optional(Type.Array(diurnal)),
    events: Type.Optional(Type.Array(event)),
  },
  { ...closed, title: 'Trace', description: 'What happens in a simulated cluster.' },
)

export type Trace = Static<typeof traceSchema>
export type Diurnal = Static<typeof diurnal>
export type TraceEvent = Static<typeof event>
