import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api'
import { textOfThrown } from './errors/text-of-thrown.ts'

const tracer = trace.getTracer('kerf')

/**
 * Runs `work` inside a span. This costs almost nothing unless an OpenTelemetry SDK was registered at start-up. An error that `work`
 * throws is recorded on the span and thrown again.
 */
export const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: textOfThrown(error) })
      throw error
    } finally {
      span.end()
    }
  })
